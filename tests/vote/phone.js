// The script of the page that phones open is JavaScript as a phone of 2016 reads it: nothing newer than ES2016 in its grammar,
// and none of the names that came later.
//
//   node phone.js PAGE.html      with Debian's node-acorn
'use strict';
const fs = require('fs');
const {Parser, tokenizer} = require(process.env.ACORN || '/usr/share/nodejs/acorn');

const later = new Set(`WebAssembly BigInt globalThis AbortController IntersectionObserver ResizeObserver URLSearchParams
  SharedArrayBuffer Atomics WeakRef queueMicrotask structuredClone requestIdleCallback visualViewport customElements
  fetch async await entries values fromEntries getOwnPropertyDescriptors padStart padEnd trimStart trimEnd replaceAll
  matchAll flat flatMap findLast finally allSettled any append prepend before after replaceWith replaceChildren
  toggleAttribute closest import`.split(/\s+/));
const page = fs.readFileSync(process.argv[2], 'utf8');
const scripts = page.split('<script').slice(1).map(part => part.slice(part.indexOf('>') + 1, part.indexOf('</script>')));
let names = 0;
const wrong = [];
for (const script of scripts) {
  try {
    Parser.parse(script, {ecmaVersion: 2016});
    for (const token of tokenizer(script, {ecmaVersion: 2016})) {
      if (token.type.label !== 'name') continue;
      names += 1;
      if (later.has(token.value)) wrong.push(`${token.value} at ${token.start}`);
    }
  } catch (error) {
    wrong.push(String(error));
  }
}
if (scripts.length !== 1 || names < 500) wrong.push(`${scripts.length} scripts with ${names} names: that is not the page`);
if (/type=.module|async|defer|src=/.test(page.slice(0, page.indexOf('<script') + 40))) wrong.push('something is loaded beside the page');
console.log(wrong.join('\n') || `${names} names, none of them newer than 2016`);
process.exit(wrong.length ? 1 : 0);
