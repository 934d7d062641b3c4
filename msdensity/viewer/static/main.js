// The page of `msdensity view`: the viewer, connected to the server that served it.
import { mountViewer } from "./viewer.js";

function connect(viewer) {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const socket = new WebSocket(`${scheme}://${location.host}/table`);
  const waiting = [];
  socket.addEventListener("open", () => waiting.splice(0).forEach((text) => socket.send(text)));
  socket.addEventListener("message", (event) => viewer.receive(JSON.parse(event.data)));
  socket.addEventListener("close", () =>
    viewer.fail("The connection to msdensity has closed. Load the page again."));
  return (message) => {
    const text = JSON.stringify(message);
    if (socket.readyState === WebSocket.CONNECTING) waiting.push(text);
    else if (socket.readyState === WebSocket.OPEN) socket.send(text);
  };
}

const viewer = mountViewer(document.getElementById("app"), { address: true });
viewer.start(connect(viewer));
