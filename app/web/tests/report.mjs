// The report as a file in the browser: search, filters, folding, a phone's width, dark colours, hostile names, print.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { axe, check, demoCsv, phone, same, scfe, wide, work } from './harness.mjs';
import { hostile } from './fixtures.mjs';

function run(args) {
  try {
    execFileSync(scfe, args, { stdio: 'pipe' });
  } catch (error) {
    if (error.status !== 1) throw error; // 1: some rows have no answer
  }
}

const made = new Map();
function report(name, args) {
  const file = join(work, `${name}.html`);
  if (!made.has(name)) run([...args, '-o', file]);
  made.set(name, file);
  return file;
}
// Floor and limits leave some rows less typical than asked and some without an answer; levels and numbers change.
const credit = (file) => report('credit', ['explain', file, demoCsv, '--target', 'approved', '--max-changes', '1',
  '--plausible', '50%', '--freeze', 'checking_account', '--below-floor', 'none', '--by', 'housing']);
const audit = (file) => report('audit', ['audit', file, demoCsv, '--target', 'approved', '--by', 'housing']);

async function open(browser, file, { viewport = wide, dark = false, script = true } = {}) {
  const context = await browser.newContext({ viewport, colorScheme: dark ? 'dark' : 'light', javaScriptEnabled: script });
  const page = await context.newPage(), faults = [], address = pathToFileURL(file).href;
  page.on('console', (m) => { if (m.type() === 'error') faults.push(m.text()); });
  page.on('pageerror', (e) => faults.push(e.message));
  page.on('request', (r) => { if (r.url() !== address) faults.push(`request to ${r.url()}`); });
  await page.goto(address);
  return { page, faults };
}

const visible = (page) => page.locator('.card:visible').count();
const tooWide = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

// Elements whose content is cut off, and text that is drawn smaller than 10 pixels.
const unreadable = (page) => page.evaluate(() => {
  const bad = [];
  for (const e of document.querySelectorAll('main *')) {
    const box = e.getBoundingClientRect();
    if (box.width === 0 || e.closest('svg, select')) continue;
    if (box.right > document.documentElement.clientWidth + 1) bad.push(`cut off: ${e.className} ${e.textContent.slice(0, 40)}`);
  }
  for (const text of document.querySelectorAll('svg text')) {
    if (text.getBoundingClientRect().width === 0) continue;
    const drawn = parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a;
    if (drawn < 10) bad.push(`${drawn} pixels: ${text.textContent}`);
  }
  return [...new Set(bad)].slice(0, 5);
});

function look(name, make, viewport, dark) {
  return async ({ browser, demoFile, pictures }) => {
    const { page, faults } = await open(browser, make(demoFile), { viewport, dark });
    check(await tooWide(page) <= 0, `the report is ${await tooWide(page)} pixels too wide`);
    same(await unreadable(page), [], 'what cannot be read');
    await axe(page, `${name}, ${dark ? 'dark' : 'light'}`);
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = ground.match(/\d+/g).map(Number).reduce((a, b) => a + b) / 3;
    check(dark ? light < 60 : light > 200, `a ground of ${ground}`);
    if (pictures) await page.screenshot({ path: `${pictures}/${name}-${viewport.width}-${dark ? 'dark' : 'light'}.png`, fullPage: true });
    same(faults, [], 'faults of the report');
  };
}

export const tests = {
  'the report filters and searches its cards': async ({ browser, demoFile }) => {
    const { page, faults } = await open(browser, credit(demoFile));
    const cards = await page.locator('.card').count();
    same(cards, 200, 'cards');
    same(await visible(page), 24, 'cards of the first portion');
    await page.locator('.more').click();
    same(await visible(page), 48, 'cards of two portions');
    const outcomes = await page.locator('[name=status] option').evaluateAll((all) => all.slice(1).map((o) => [o.value, Number(/\((\d+)\)$/.exec(o.textContent)[1])]));
    check(outcomes.length >= 3, `outcomes: ${JSON.stringify(outcomes)}`);
    same(outcomes.reduce((sum, [, n]) => sum + n, 0), cards, 'cards by outcome');
    for (const [value, count] of outcomes) {
      await page.locator('[name=status]').selectOption(value);
      same(await page.locator('output').textContent(), `${count} of 200`, `cards that are ${value}`);
      same(await visible(page), Math.min(24, count), `cards shown that are ${value}`);
    }
    await page.locator('[name=status]').selectOption('');
    const features = await page.locator('[name=changed] option').evaluateAll((all) => all.slice(1).map((o) => /^(.*) \((\d+)\)$/.exec(o.textContent).slice(1)));
    check(features.length >= 3, 'features that change');
    for (const [feature, count] of features) {
      await page.locator('[name=changed]').selectOption({ label: `${feature} (${count})` });
      same(await page.locator('output').textContent(), `${count} of 200`, `cards that change ${feature}`);
      const changes = await page.locator('.card:visible').evaluateAll((all) => all.map((card) => [...card.querySelectorAll('.change .name')].map((n) => n.textContent)));
      check(changes.length > 0 && changes.every((names) => names.includes(feature)), `a card without ${feature}`);
    }
    await page.locator('[name=changed]').selectOption('');
    await page.locator('[name=search]').fill('no card has this');
    same([await visible(page), await page.locator('.more').isVisible()], [0, false], 'cards of a search in vain');
    await page.locator('[name=search]').fill('Row 17 ');
    check((await page.locator('.card:visible h3').allTextContents()).includes('Row 17'), 'row 17 is not found');
    same(faults, [], 'faults of the report');
  },

  'a folded card names its changes': async ({ browser, demoFile }) => {
    const { page } = await open(browser, credit(demoFile));
    const height = () => page.locator('.cards').evaluate((e) => e.getBoundingClientRect().height);
    const before = await height();
    await page.getByRole('button', { name: 'Fold all' }).click();
    check(await height() < before / 2, 'folding saves no room');
    const line = await page.locator('.card summary').first().evaluate((e) => getComputedStyle(e, '::after').content);
    check(line.length > 8, `the line of a folded card: ${line}`);
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => globalThis.dispatchEvent(new globalThis.Event('beforeprint')));
    same(await visible(page), 200, 'printed cards');
    check(await page.locator('.tools').isHidden(), 'tools are printed');
  },

  'without its script the report shows every card': async ({ browser, demoFile }) => {
    const { page } = await open(browser, credit(demoFile), { script: false });
    same(await visible(page), 200, 'cards');
    check(await page.locator('.tools').isHidden(), 'tools that do nothing');
  },

  'numbers have an axis with values, levels have none': async ({ browser, demoFile }) => {
    const { page } = await open(browser, credit(demoFile), { script: false });
    const drawn = await page.locator('.changes > li').evaluateAll((all) => all.map((li) => ({
      name: li.querySelector('.name').textContent, ticks: [...li.querySelectorAll('svg .tick')].map((t) => Number(t.textContent)),
      arrow: li.querySelectorAll('svg .move').length, was: li.querySelectorAll('.levels .was').length, now: li.querySelectorAll('.levels .new').length })));
    const numbers = drawn.filter((d) => d.arrow > 0), levels = drawn.filter((d) => d.was > 0);
    check(numbers.length > 5 && levels.length > 5, `${numbers.length} numbers and ${levels.length} levels change`);
    same(numbers.length + levels.length, drawn.length, 'changes with a picture');
    for (const d of numbers) check(d.ticks.length >= 2 && d.ticks.every((t, i) => Number.isFinite(t) && (i === 0 || t > d.ticks[i - 1])), `${d.name}: values ${d.ticks}`);
    for (const d of levels) same([d.was, d.now, d.ticks.length], [1, 1, 0], d.name);
  },

  'names with markup are text in the report': async ({ browser, others }) => {
    check(others, 'fixtures');
    const hostileFile = join(work, 'hostile.scfe'), csv = join(work, 'hostile.csv');
    for (const [name, args] of [['hostile-report', ['explain', hostileFile, csv, '--freeze', hostile.amount]], ['hostile-audit', ['audit', hostileFile, csv, '--target', hostile.yes, '--by', hostile.colour]]]) {
      const { page, faults } = await open(browser, report(name, args), { viewport: phone });
      const words = await page.locator('body').innerText();
      for (const text of [hostile.amount, hostile.levels[0], hostile.levels[1]]) check(words.includes(text), `${name}: ${text} is not on the page`);
      same(await page.evaluate(() => globalThis.hit), undefined, 'script from a name ran');
      same(await page.locator('main img, main iframe, main b > b, main u, main svg[onload]').count(), 0, 'elements made of names');
      check(await tooWide(page) <= 0, 'too wide');
      same(faults, [], 'faults of the report');
    }
  },
};
for (const [name, make] of [['report', credit], ['groups-report', audit]]) for (const dark of [false, true]) for (const viewport of [wide, phone])
  tests[`${name}: nothing is cut off or too small (${dark ? 'dark' : 'light'}, ${viewport.width} pixels)`] = look(name, make, viewport, dark);
