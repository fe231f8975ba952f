// The gym's own script: its phone drawer, its light, and menus that close.
"use strict";

const root = document.documentElement;
// The front door shows the schedule; its address says so, so that what belongs to the schedule is found there.
if (location.pathname === "/") history.replaceState(history.state, "", "/schedule" + location.search + location.hash);
const phone = window.matchMedia("(max-width: 719.98px)");
const side = document.getElementById("side");
let opener = null;

function setDrawer(open) {
  root.toggleAttribute("data-drawer-open", open);
  side.inert = phone.matches && !open;
  for (const button of document.querySelectorAll("[data-drawer-open-button]")) button.setAttribute("aria-expanded", String(open));
  if (open) side.querySelector("[data-drawer-close], a").focus();
  else if (opener) {
    opener.focus();
    opener = null;
  }
}

for (const button of document.querySelectorAll("[data-drawer-open-button]")) {
  button.addEventListener("click", () => {
    opener = button;
    setDrawer(true);
  });
}
for (const part of document.querySelectorAll("[data-drawer-close]")) part.addEventListener("click", () => setDrawer(false));
phone.addEventListener("change", () => setDrawer(false));
setDrawer(false);

// A session that did not choose a light follows the system's, and says so on the
// page for those who read it there.
if (!root.hasAttribute("data-theme")) {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const follow = () => root.setAttribute("data-theme", dark.matches ? "dark" : "light");
  dark.addEventListener("change", follow);
  follow();
}

// Menus close on Escape and on a click beside them.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const open = document.querySelector("details[open]");
  if (open) {
    open.open = false;
    open.querySelector("summary").focus();
  } else if (root.hasAttribute("data-drawer-open")) setDrawer(false);
});
document.addEventListener("click", (event) => {
  for (const open of document.querySelectorAll("details[open]")) {
    if (!open.contains(event.target)) open.open = false;
  }
});
