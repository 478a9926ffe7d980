// Pan and zoom: drag a page or the background, zoom with the wheel or two fingers.
import { WIDTH, HEIGHT } from "./draw.js";

const CLOSEST = 6, FARTHEST = 0.5, STILL = 4; // zoom limits; pixels that a pointer may move during a tap

export class Canvas {
  // on: {tap(page or null, point, event), drop(page)}
  constructor(drawing, on) {
    this.drawing = drawing;
    this.on = on;
    this.view = { x: 0, y: 0, scale: 1 };
    this.pointers = new Map();
    const { svg } = drawing;
    svg.addEventListener("pointerdown", (event) => this.down(event));
    svg.addEventListener("pointermove", (event) => this.move(event));
    svg.addEventListener("pointerup", (event) => this.up(event));
    svg.addEventListener("pointercancel", (event) => this.pointers.delete(event.pointerId));
    // A finger on a page drags it; anywhere else it may scroll the screen.
    svg.addEventListener("touchmove", (event) => {
      if (event.cancelable && [...this.pointers.values()].some((one) => one.page !== null)) event.preventDefault();
    }, { passive: false });
    svg.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey && this.view.scale === 1 && event.deltaY > 0) return; // let the page scroll
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY / 400), this.point(event, false));
    }, { passive: false });
  }

  // The coordinates of an event, before or after pan and zoom.
  point(event, inWorld = true) {
    const box = this.drawing.svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * WIDTH, y = ((event.clientY - box.top) / box.height) * HEIGHT;
    const { view } = this;
    return inWorld ? [(x - view.x) / view.scale, (y - view.y) / view.scale] : [x, y];
  }

  pageOf(event) {
    const node = event.target.closest?.(".page");
    return node ? Number(node.dataset.page) : null;
  }

  down(event) {
    if (event.button) return;
    const page = this.pageOf(event);
    this.pointers.set(event.pointerId, { page, start: [event.clientX, event.clientY], last: this.point(event, false), moved: false });
    if (event.pointerType !== "touch" || page !== null) this.drawing.svg.setPointerCapture(event.pointerId);
  }

  move(event) {
    const pointer = this.pointers.get(event.pointerId);
    if (!pointer) return;
    if (Math.hypot(event.clientX - pointer.start[0], event.clientY - pointer.start[1]) > STILL) pointer.moved = true;
    const now = this.point(event, false);
    if (this.pointers.size === 2) this.pinch(event.pointerId, now);
    else if (pointer.moved && pointer.page !== null) {
      this.drawing.web.at[pointer.page] = this.point(event);
      this.drawing.place(pointer.page);
    } else if (pointer.moved) {
      this.view.x += now[0] - pointer.last[0];
      this.view.y += now[1] - pointer.last[1];
      this.apply();
    }
    pointer.last = now;
  }

  pinch(id, now) {
    const [other] = [...this.pointers].filter(([key]) => key !== id).map(([, pointer]) => pointer);
    const before = this.pointers.get(id).last, from = other.last;
    const ratio = Math.hypot(now[0] - from[0], now[1] - from[1]) / (Math.hypot(before[0] - from[0], before[1] - from[1]) || 1);
    this.zoom(ratio, [(now[0] + from[0]) / 2, (now[1] + from[1]) / 2]);
  }

  up(event) {
    const pointer = this.pointers.get(event.pointerId);
    this.pointers.delete(event.pointerId);
    if (!pointer) return;
    if (!pointer.moved) this.on.tap?.(pointer.page, this.point(event), event);
    else if (pointer.page !== null) this.on.drop?.(pointer.page);
  }

  zoom(factor, [x, y] = [WIDTH / 2, HEIGHT / 2]) {
    const { view } = this;
    const scale = Math.min(CLOSEST, Math.max(FARTHEST, view.scale * factor));
    view.x = x - ((x - view.x) * scale) / view.scale;
    view.y = y - ((y - view.y) * scale) / view.scale;
    view.scale = scale;
    this.apply();
  }

  reset() {
    this.view = { x: 0, y: 0, scale: 1 };
    this.apply();
  }

  centre([x, y]) {
    this.view.x = WIDTH / 2 - x * this.view.scale;
    this.view.y = HEIGHT / 2 - y * this.view.scale;
    this.apply();
  }

  apply() {
    const { x, y, scale } = this.view;
    this.drawing.world.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
    this.drawing.svg.style.touchAction = scale === 1 ? "pan-y" : "none";
  }
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// Arrow keys focus the nearest page in that direction; with Shift they move the page.
export function walkByKeys(drawing, onMoved = null) {
  drawing.svg.addEventListener("keydown", (event) => {
    const node = event.target.closest(".page");
    const way = ARROWS[event.key];
    if (!node || !way) return;
    event.preventDefault();
    const page = Number(node.dataset.page), at = drawing.web.at;
    if (event.shiftKey && onMoved) {
      at[page] = [at[page][0] + 20 * way[0], at[page][1] + 20 * way[1]];
      drawing.place(page);
      onMoved(page);
      return;
    }
    const next = nearest(at, page, way);
    if (next !== null) focusOn(drawing, next);
  });
}

function nearest(at, page, [across, down]) {
  let best = null, least = Infinity;
  at.forEach(([x, y], other) => {
    const dx = x - at[page][0], dy = y - at[page][1];
    const along = dx * across + dy * down, aside = Math.abs(dx * down) + Math.abs(dy * across);
    if (other !== page && along > 0 && along + 2 * aside < least) [best, least] = [other, along + 2 * aside];
  });
  return best;
}

// One page is reachable with Tab: the one that had the focus last.
export function focusOn(drawing, page) {
  for (const node of drawing.circles.children) node.setAttribute("tabindex", "-1");
  drawing.node_of(page).setAttribute("tabindex", "0");
  drawing.node_of(page).focus();
}
