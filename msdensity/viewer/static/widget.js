// The notebook widget: the same viewer, connected to the session in the kernel.
import { mountViewer } from "./viewer.js";

function render({ model, el }) {
  const root = document.createElement("div");
  el.append(root);
  const viewer = mountViewer(root, { address: false });
  const receive = (message) => viewer.receive(message);
  model.on("msg:custom", receive);
  // Without a kernel the widget still shows what it showed first; a kernel knows what came after.
  viewer.start((message) => {
    if (message.do === "hello") model.get("first").forEach(receive);
    model.send(message.do === "hello" ? { do: "again" } : message);
  });
  return () => model.off("msg:custom", receive);
}

export default { render };
