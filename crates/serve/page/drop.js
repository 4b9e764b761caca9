// Photos that come from outside: dragged in, pasted or chosen.

/** Calls `take` with a photo that is dragged in, pasted or chosen. */
export function drop(veil, chooser, take) {
  const picture = (list) => [...(list ?? [])].find((file) => file.type.startsWith("image/"));
  let inside = 0;
  const carries = (event) => event.dataTransfer?.types.includes("Files");
  const shown = (on) => veil.classList.toggle("shown", on);
  addEventListener("dragenter", (event) => {
    if (!carries(event)) return;
    inside += 1;
    shown(true);
  });
  addEventListener("dragleave", (event) => {
    if (!carries(event)) return;
    inside = Math.max(0, inside - 1);
    if (!inside) shown(false);
  });
  addEventListener("dragover", (event) => carries(event) && event.preventDefault());
  addEventListener("drop", (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    inside = 0;
    shown(false);
    const file = picture(event.dataTransfer.files);
    if (file) take(file);
  });
  addEventListener("paste", (event) => {
    const file = picture(event.clipboardData?.files);
    if (file) take(file);
  });
  chooser.addEventListener("change", () => {
    const file = picture(chooser.files);
    chooser.value = "";
    if (file) take(file);
  });
}
