// Runs every test of the page in Chromium against build/scfe serve. Arguments: words; only tests whose name has one run.
// PICTURES=folder: keeps pictures of every view there.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFixtures } from './fixtures.mjs';
import { demoCsv, openBrowser, root, scfe, startServer, work } from './harness.mjs';
import { tests as looks } from './looks.mjs';
import { tests as many } from './many.mjs';
import { tests as one } from './one.mjs';
import { tests as report } from './report.mjs';

// The demo's explainer, fitted by the command line on the demo's own training rows: every tenth is held out.
function fitDemo() {
  const file = join(work, 'demo.scfe'), csv = join(work, 'demo.csv');
  const [header, ...rows] = readFileSync(demoCsv, 'utf8').trim().split('\n');
  writeFileSync(csv, [header, ...rows.filter((_, i) => i % 10 !== 0)].join('\n') + '\n');
  execFileSync(scfe, ['fit', '--model', join(root, 'data/models/german_credit.onnx'), '--data', csv, '--schema', join(root, 'data/german_credit.schema.json'), '-o', file], { stdio: 'pipe' });
  return file;
}

rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
const pictures = process.env.PICTURES;
if (pictures) mkdirSync(pictures, { recursive: true });
const fixtures = makeFixtures(scfe, work), token = 'a-token-for-the-browser-tests-0123456789';
writeFileSync(join(work, 'token'), `${token}\n`);
const demo = await startServer(['--demo']);
const others = await startServer([fixtures.hostile.scfe, fixtures.images.scfe, '--examples', fixtures.hostile.csv, '--examples', fixtures.images.csv]);
const guarded = await startServer(['--demo', '--token-file', join(work, 'token')]);
const browser = await openBrowser();
const all = { browser, demo, others, guarded, token, pictures, demoFile: fitDemo() };

const words = process.argv.slice(2);
let passed = 0, failed = 0;
for (const [name, test] of Object.entries({ ...one, ...many, ...looks, ...report })) {
  if (words.length > 0 && !words.some((word) => name.includes(word))) continue;
  const began = Date.now();
  try {
    await test(all);
    ++passed;
    console.log(`ok    ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  } catch (error) {
    ++failed;
    console.log(`FAIL  ${name}\n      ${String(error.message ?? error).split('\n').slice(0, 6).join('\n      ')}`);
  }
  for (const context of browser.contexts()) await context.close();
}
await browser.close();
await Promise.all([demo, others, guarded].map((server) => server.stop()));
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
