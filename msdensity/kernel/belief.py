"""Messages between the numbers of a component that is too large to count: one sweep of beliefs.

Loopy belief propagation (document 004, section 3) on the numbers and their boxes: a witness tells
each of its boxes how likely each number of mines in it is, from its own number and from what the
witnesses before it have told its other boxes. Each witness speaks once, in the order of the walk
through the component. A second sweep won no more games
(docs/explanation/approximation.md).

The sum over the arrangements of a witness's boxes is a coefficient of a product of polynomials, one
for each box; all products but one factor come from those of the factors before and after it.
Nothing is subtracted, so that a message is 0 only where no arrangement is possible.
"""

import numpy as np

from msdensity.kernel.compiler.jit import compiled
from msdensity.kernel.frontier import build_component
from msdensity.kernel.knowledge import component_at, list_box
from msdensity.kernel.parts import close_part

ALL = np.int64(1 << 30)
"""Witnesses of a part: those of the whole component."""

LEAST = 1e-60
"""No weight of what is possible is below this, with the largest at 1: products stay above 0."""


@compiled
def settle(values, begin, end):
    """Scale values[begin:end] to a largest of 1; raise those above 0 to LEAST."""
    largest = 0.0
    for i in range(begin, end):
        largest = max(largest, values[i])
    for i in range(begin, end):
        if values[i] > 0.0:
            values[i] = max(values[i] / largest, LEAST)


@compiled
def multiply_box(ws, values, to, width, box):
    """Write the product of the polynomials values[to - width : to] and of a box, cut to `width`."""
    belief = np.int64(box.node)
    size = np.int64(box.size)
    at = to - width
    for v in range(width):
        total = 0.0
        for n in range(min(v, size) + 1):
            total += ws.message[belief + n] * values[at + v - n]
        values[to + v] = total
    settle(values, to, to + width)


@compiled
def send_from(ws, a):
    """Send the messages of witness `a` of the component that was built last."""
    witness = ws.witness[a]
    remaining = np.int64(witness.remaining)
    width = remaining + 1
    boxes = np.int64(witness.boxes)
    terms = ws.terms
    terms[0] = 1.0
    for v in range(1, width):
        terms[v] = 0.0
    for i in range(boxes - 1):
        box = ws.draft[ws.witness_box[witness.first + i]]
        multiply_box(ws, terms, (i + 1) * width, width, box)
    after = boxes * width
    terms[after] = 1.0
    for v in range(1, width):
        terms[after + v] = 0.0
    for i in range(boxes - 1, -1, -1):
        box = ws.draft[ws.witness_box[witness.first + i]]
        size = np.int64(box.size)
        place = np.int64(0)
        while ws.box_witness[box.first + place] != a:
            place += 1
        to = box.node + (place + 1) * (size + 1)
        for v in range(size + 1):
            total = 0.0
            for n in range(width - v):
                total += terms[i * width + n] * terms[after + remaining - v - n]
            ws.message[to + v] = total
        settle(ws.message, to, to + size + 1)
        if i > 0:
            multiply_box(ws, terms, after + width, width, box)
            after += width
        for v in range(size + 1):
            ws.message[box.node + v] *= ws.message[to + v]
        settle(ws.message, np.int64(box.node), box.node + size + 1)


@compiled
def send_messages(table, ws, w, k):
    """Let each witness of component k send its messages, from witness w on.

    Those to a box are in ws.message, after the belief of the box: the product of all of them and of
    the weights C(s, v) * power[v]. ws.inbox says where they are for each cell, and ws.sender holds
    the cells of the witnesses that sent them.
    """
    game = ws.game[0]
    sub = build_component(table, ws, w, ALL)
    component = ws.component[sub]
    component.over = np.int32(1)  # it has no states
    row = game.choose_row
    top = np.int64(0)
    for t in range(component.box_end - component.box):
        box = ws.draft[t]
        size = np.int64(box.size)
        box.node = np.int32(top)
        for v in range(size + 1):
            ws.message[top + v] = ws.choose[size * row + v] * ws.power[v]
        settle(ws.message, top, top + size + 1)
        for i in range(box.first, box.first + box.witnesses):
            ws.sender[i] = ws.witness[ws.box_witness[i]].cell
        top += (box.witnesses + 1) * (size + 1)
    for a in range(component.witnesses):
        send_from(ws, a)
    for t in range(component.box, component.box_end):
        box = ws.box[t]
        for i in range(list_box(table, ws, sub, t)):
            inbox = ws.inbox[ws.members[i]]
            inbox.belief = ws.draft[box.name].node
            inbox.sender = box.first
            inbox.senders = box.witnesses
    close_part(table, ws, sub, k)


@compiled
def hear(table, ws, sub):
    """Multiply the weights of the boxes of part `sub` by the messages from outside it."""
    game = ws.game[0]
    row = game.choose_row
    component = ws.component[sub]
    top = row * row
    for t in range(component.box, component.box_end):
        box = ws.box[t]
        terms = np.int64(box.size) + 1
        for v in range(terms):
            ws.choose[top + v] = ws.choose[box.prior + v]
        box.prior = top
        inbox = ws.inbox[box.cell]
        for i in range(inbox.senders):
            if component_at(table, ws, np.int64(ws.sender[inbox.sender + i])) == sub:
                continue
            message = inbox.belief + (i + 1) * terms
            for v in range(terms):
                ws.choose[top + v] *= ws.message[message + v]
            settle(ws.choose, top, top + terms)
        top += terms
