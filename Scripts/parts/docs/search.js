// SPDX-License-Identifier: GPL-2.0-or-later
// Searches the sections of all pages for those that have every word of the query.
const field = document.getElementById("search");
const results = document.getElementById("results");
const contents = document.getElementById("contents");

function found(words) {
  const hits = [];
  for (const section of sections) {
    const text = section.text.toLowerCase();
    const title = (section.page + " " + section.heading).toLowerCase();
    let score = 0;
    for (const word of words) {
      const count = text.split(word).length - 1;
      if (title.includes(word)) score += 10;
      else if (count === 0) { score = 0; break; }
      score += Math.min(count, 5);
    }
    if (score > 0) hits.push({ score, section });
  }
  return hits.sort((a, b) => b.score - a.score).slice(0, 30).map((hit) => hit.section);
}

function excerpt(text, words) {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((place) => place >= 0);
  const start = Math.max(0, Math.min(...(places.length ? places : [0])) - 60);
  return (start > 0 ? "… " : "") + text.slice(start, start + 160) + (start + 160 < text.length ? " …" : "");
}

function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
  results.replaceChildren();
  results.hidden = words.length === 0;
  contents.hidden = !results.hidden;
  if (results.hidden) return;
  const hits = found(words);
  for (const section of hits) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = section.link;
    link.textContent =
      section.page === section.heading ? section.page : section.page + ": " + section.heading;
    const text = document.createElement("p");
    text.textContent = excerpt(section.text, words);
    item.append(link, text);
    results.append(item);
  }
  if (hits.length === 0) {
    const item = document.createElement("li");
    item.textContent = "Nothing has all of these words.";
    results.append(item);
  }
}

field.addEventListener("input", show);
