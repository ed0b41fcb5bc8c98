// Draws a file by the WebAssembly module: node web/draw.mjs MODULE DATA FIGURE.toml OUT.png
import { readFileSync, writeFileSync } from 'node:fs';

const [module, data, figure, out] = process.argv.slice(2);
const code = new WebAssembly.Module(readFileSync(module));
// The module imports nothing.
const instance = new WebAssembly.Instance(code);
const { memory, allocate, draw, length, is_picture } = instance.exports;
for (const path of [data, figure]) {
  const bytes = readFileSync(path);
  const at = allocate(bytes.length);
  // The memory may have grown, so its view is made anew.
  new Uint8Array(memory.buffer).set(bytes, at);
}
const at = draw();
const result = Buffer.from(memory.buffer, at, length());
if (is_picture() === 0) {
  console.error(result.toString());
  process.exit(1);
}
writeFileSync(out, result);
