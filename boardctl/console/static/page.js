// Shows the table as it is told, and sends what people say. Everything that is told is put in as text, never as HTML.
"use strict";

const body = document.body;
const words = body.dataset;
const SVG = "http://www.w3.org/2000/svg";
const SLOT_MS = 125; // an eighth of a second: what the lights' patterns count in
const CHECKERS = { A: "light", B: "dark", C: "blue", D: "ochre" };
const PIPS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [-1, 1], [1, -1], [1, 1]],
  5: [[-1, -1], [-1, 1], [1, -1], [1, 1], [0, 0]],
  6: [[-1, -1], [-1, 1], [1, -1], [1, 1], [-1, 0], [1, 0]],
};
const byId = (id) => document.getElementById(id);

let shape = null;
let state = null;
let received = 0;
let lamps = [];

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function drawn(parent, name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (text !== undefined) made.textContent = text;
  parent.appendChild(made);
  return made;
}

// The board's y goes up, away from seat A; the picture's goes down.
function write(parent, x, y, size, text, className) {
  drawn(parent, "text", { x, y: -y, "font-size": size, class: className }, text);
}

function drawBoard() {
  const svg = byId("board");
  const wide = shape.half_width + shape.rail;
  const high = shape.half_height + shape.rail;
  const outer = Math.abs(shape.tray_x) + shape.tray_width / 2 + shape.rail;
  const left = shape.waiting || shape.tray_x < 0 ? -outer : -wide;
  const width = (shape.waiting || shape.tray_x > 0 ? outer : wide) - left;
  svg.setAttribute("viewBox", [left, -high, width, 2 * high].join(" "));
  const ground = drawn(svg, "g", {});
  drawn(ground, "rect", { x: left, y: -high, width, height: 2 * high, class: "rail" });
  drawn(ground, "rect", {
    x: -shape.half_width, y: -shape.half_height, width: 2 * shape.half_width, height: 2 * shape.half_height, class: "field",
  });
  for (const point of shape.points) {
    const corners = point.corners.map(([x, y]) => `${x},${-y}`).join(" ");
    drawn(ground, "polygon", { points: corners, class: point.number % 2 ? "point odd" : "point" });
    write(ground, point.corners[2][0] - 14, point.label_y, 10, String(point.number), "number");
  }
  drawn(ground, "rect", {
    x: -shape.bar_width / 2, y: -shape.half_height, width: shape.bar_width, height: 2 * shape.half_height, class: "rail",
  });
  for (const x of shape.waiting ? [shape.tray_x, -shape.tray_x] : [shape.tray_x]) {
    for (const top of [-shape.half_height, 6]) {
      drawn(ground, "rect", {
        x: x - shape.tray_width / 2, y: top, width: shape.tray_width, height: shape.half_height - 6, class: "tray",
      });
    }
  }
  drawn(svg, "g", { id: "pieces" });
}

function drawPieces(board) {
  const pieces = byId("pieces");
  pieces.replaceChildren();
  for (const checker of board.checkers) {
    const look = CHECKERS[checker.seat];
    if (checker.edge) {
      const width = 2 * shape.checker_radius;
      const height = shape.checker_height;
      drawn(pieces, "rect", {
        x: checker.x - width / 2, y: -checker.y - height / 2, width, height, class: `checker ${look}`,
      });
      if (checker.label) write(pieces, checker.x, checker.y < 0 ? -22 : 22, 20, checker.label, "number");
      continue;
    }
    drawn(pieces, "circle", { cx: checker.x, cy: -checker.y, r: shape.checker_radius - 1, class: `checker ${look}` });
    drawn(pieces, "circle", { cx: checker.x, cy: -checker.y, r: shape.checker_radius * 0.6, class: `inner ${look}` });
    if (checker.label) write(pieces, checker.x, checker.y, 17, checker.label, `label ${look}`);
  }
  for (const die of board.dice) drawDie(pieces, die);
  if (board.cube) {
    const { x, y, value } = board.cube;
    drawn(pieces, "rect", { x: x - 15, y: -y - 15, width: 30, height: 30, rx: 4, class: "cube" });
    write(pieces, x, y, value > 99 ? 13 : 17, String(value), "cube-value");
  }
  lamps = board.lamps.map((lamp) => {
    const group = drawn(pieces, "g", { class: "lamp" });
    drawn(group, "circle", { cx: lamp.x, cy: -lamp.y, r: 8, fill: lamp.colour });
    write(group, lamp.x, lamp.y, 12, lamp.symbol, "symbol");
    return { group, pattern: lamp.pattern };
  });
  byId("legend").replaceChildren(...board.legend.map((sign) => {
    const line = element("li");
    const mark = element("span", sign.symbol, "sign");
    mark.style.background = sign.colour;
    line.append(mark, ` ${sign.means}`);
    return line;
  }));
  byId("board-words").textContent = board.words;
}

function drawDie(pieces, die) {
  const half = shape.die_size * 0.9; // larger than it is, so that its pips can be read
  const group = drawn(pieces, "g", { transform: `translate(${die.x} ${-die.y}) rotate(${-die.angle_deg})` });
  drawn(group, "rect", { x: -half, y: -half, width: 2 * half, height: 2 * half, rx: half / 3, class: die.flat ? "die" : "die bad" });
  if (die.value === null) drawn(group, "text", { x: 0, y: 0, "font-size": 2 * half, class: "symbol" }, "?");
  for (const [x, y] of PIPS[die.value] || []) {
    drawn(group, "circle", { cx: x * half * 0.55, cy: y * half * 0.55, r: half * 0.19, class: "pip" });
  }
  if (!die.flat) drawn(group, "line", { x1: -half, y1: half, x2: half, y2: -half, class: "stroke" });
}

function minutes(ms) {
  const seconds = Math.ceil(ms / 1000); // a clock that shows 0:00 has nothing left
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function showClock() {
  const line = byId("clock");
  const clock = state && state.clock;
  line.hidden = !clock;
  if (!clock) return;
  const gone = clock.running ? clock.age_ms + performance.now() - received : 0;
  const sides = clock.sides.map((side) => {
    const running = side.seat === clock.running;
    const ofDelay = running ? Math.min(gone, side.delay_ms) : 0;
    const left = Math.max(0, side.reserve_ms - (running ? gone - ofDelay : 0));
    const shown = element("span", undefined, running ? "side running" : "side");
    shown.append(`${side.seat} ${minutes(left)}`);
    if (running && side.delay_ms > ofDelay) {
      shown.append(element("small", ` ${words.delay} ${Math.ceil((side.delay_ms - ofDelay) / 1000)}`));
    }
    if (side.is_up) shown.append(element("strong", ` ${words.up}`));
    return shown;
  });
  line.replaceChildren(...sides, element("small", clock.paused));
}

function blink() {
  const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const slot = Math.floor(performance.now() / SLOT_MS) % 8;
  for (const { group, pattern } of lamps) group.classList.toggle("off", !still && pattern[slot] === ".");
}

function showQuestion(question) {
  const box = byId("question");
  box.hidden = !question;
  if (!question) return;
  box.querySelector("p").textContent = question.text;
  const row = box.querySelector(".row");
  row.replaceChildren();
  const mine = words.audience === "director" ? [null] : words.audience === "table" ? question.to : [];
  for (const seat of mine.filter((role) => role !== "director")) {
    for (const { choice, label } of question.choices) {
      const button = element("button", seat && mine.length > 1 ? `${seat}: ${label}` : label);
      button.type = "button";
      const ask = { do: "answer", choice };
      if (question.number !== null) ask.prompt = question.number;
      if (seat) ask.seat = seat;
      button.addEventListener("click", () => send(ask, button));
      row.append(button);
    }
  }
}

function show(told) {
  state = told;
  received = performance.now();
  if (told.audience !== words.audience) {
    window.location.reload(); // came in or went out in another tab, or the time inside is over
    return;
  }
  byId("phase").textContent = told.roll ? `${told.phase} ${told.roll}` : told.phase;
  const match = told.match_length ? `${words.matchTo} ${told.match_length}` : "";
  const score = told.score.map(({ seat, points }) => `${seat} ${points}`).join("  ");
  byId("score").textContent = [score, match, told.cube].filter(Boolean).join(" · ");
  byId("advice").textContent = told.advice;
  byId("said").replaceChildren(...told.said.slice().reverse().map((sentence) => element("li", sentence)));
  showQuestion(told.question);
  showClock();
  if (shape) drawPieces(told.board);
  if (told.director) showFindings(told.director);
}

function showFindings(director) {
  byId("last-entry").textContent = `${words.lastEntry} ${director.last_entry}`;
  const list = byId("findings");
  const there = new Map([...list.children].map((line) => [line.dataset.made, line]));
  // A finding that has not changed stays, with what was opened of it.
  list.replaceChildren(...director.findings.map((finding) => {
    const made = JSON.stringify(finding);
    return there.get(made) || findingLine(finding, made);
  }));
}

function findingLine(finding, made) {
  const line = element("li");
  line.dataset.made = made;
  line.dataset.number = finding.number;
  const sure = finding.certainty ? ` · ${finding.certainty}` : "";
  line.append(element("p", `${words.entry} ${finding.number} · ${finding.at_s.toFixed(1)} s${sure}`, "faint"));
  for (const sentence of finding.says) line.append(element("p", sentence));
  if (finding.frames_lost) line.append(element("p", finding.frames_lost, "faint"));
  const rule = element("details");
  rule.append(element("summary", words.rule), element("pre", finding.rule));
  line.append(rule);
  if (finding.frames.length) line.append(pictures(finding.frames));
  const row = element("p", undefined, "row");
  const about = element("button", words.about);
  about.type = "button";
  about.addEventListener("click", () => {
    const form = byId("rule");
    form.elements.entry.value = finding.number;
    form.scrollIntoView({ block: "center" });
    form.elements.reason.focus({ preventScroll: true });
  });
  const pack = element("a", words.pack);
  pack.href = finding.pack_url;
  row.append(about, pack);
  line.append(row);
  return line;
}

function pictures(frames) {
  const box = element("details");
  box.append(element("summary", `${words.pictures} ${frames.length}`));
  box.addEventListener("toggle", () => {
    if (!box.open || box.querySelector("a")) return;
    for (const frame of frames) {
      const link = element("a");
      link.href = frame.url;
      link.target = "_blank";
      link.rel = "noopener";
      const picture = element("img");
      picture.src = frame.url;
      picture.loading = "lazy";
      picture.alt = `${frame.at_s.toFixed(2)} s`;
      link.append(picture, element("small", picture.alt));
      box.append(link);
    }
  });
  return box;
}

async function send(ask, button) {
  const answer = byId("answer");
  if (button) button.disabled = true;
  let good = false;
  try {
    const reply = await fetch("act", {
      method: "POST",
      headers: { "content-type": "application/json", "x-token": words.token },
      body: JSON.stringify(ask),
    });
    const told = await reply.json();
    good = reply.ok;
    const recorded = told.entry ? words.recorded.replace("{entry}", told.entry) : words.takenUp;
    answer.textContent = good ? [recorded, told.said].filter(Boolean).join(" ") : told.why;
  } catch {
    answer.textContent = words.notSent;
  } finally {
    if (button) button.disabled = false;
  }
  answer.classList.toggle("refused", !good);
  answer.scrollIntoView({ block: "nearest" });
  return good;
}

function asked(from) {
  const ask = { do: from.dataset.do };
  if (from.dataset.seat) ask.seat = from.dataset.seat;
  if (from.dataset.choice) ask.choice = from.dataset.choice;
  if (from.dataset.offer) ask.offer = from.dataset.offer;
  return ask;
}

function fields(form) {
  const ask = asked(form);
  for (const field of form.elements) {
    if (!field.name || field.closest("[hidden]")) continue;
    let value = field.type === "checkbox" ? field.checked : field.value;
    if (value === "") continue;
    if ("number" in field.dataset) value = Number(value);
    const [name, part] = field.name.split(".");
    if (part) (ask[name] ||= {})[part] = value;
    else ask[name] = value;
  }
  return ask;
}

const isSure = (from) => !from.dataset.sure || window.confirm(from.dataset.sure);

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-do]");
  if (button && isSure(button)) send(asked(button), button);
});

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.dataset.do) return;
  event.preventDefault();
  if (!isSure(form)) return;
  const done = await send(fields(form), form.querySelector("button"));
  if (!done) return; // what was refused stays, to be put right
  for (const field of form.querySelectorAll("textarea, input[name=entry], input[name=reason]")) field.value = "";
});

document.addEventListener("change", (event) => {
  if (event.target.name !== "decision") return;
  for (const part of document.querySelectorAll("[data-for]")) part.hidden = part.dataset.for !== event.target.value;
});

async function begin() {
  shape = await (await fetch("board")).json();
  drawBoard();
  if (state) show(state);
  const stream = new EventSource("events");
  stream.onmessage = (event) => {
    body.classList.remove("lost");
    show(JSON.parse(event.data));
  };
  stream.onopen = () => {
    if (body.classList.contains("lost")) byId("note").textContent = "";
    body.classList.remove("lost");
  };
  stream.onerror = () => {
    body.classList.add("lost");
    byId("note").textContent = words.lost;
  };
  setInterval(showClock, 200);
  setInterval(blink, SLOT_MS / 2);
}

begin();
