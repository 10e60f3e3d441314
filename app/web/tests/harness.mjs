// A server, a browser, and small checks. Nothing is faked: pages talk to build/scfe serve.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
export const scfe = process.env.SCFE ?? join(root, 'build/scfe');
export const work = join(root, 'build/browser');
export const demoCsv = join(root, 'data/german_credit.csv');
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export function check(truth, text) {
  if (!truth) throw new Error(text);
}

export function same(given, wanted, text) {
  const a = JSON.stringify(given), b = JSON.stringify(wanted);
  if (a !== b) throw new Error(`${text}: expected ${b}, got ${a}`);
}

// Starts a server on a free port and waits until it names its address.
export function startServer(args) {
  const child = spawn(scfe, ['serve', '--port', '0', ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  return new Promise((ok, bad) => {
    let said = '';
    const hear = (data) => {
      said += data;
      const address = /Listening on (http:\/\/\S+)/.exec(said)?.[1];
      if (address) ok({ url: address.replace(/\/$/, ''), stop: () => stop(child) });
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('exit', (status) => bad(new Error(`the server ended with ${status}: ${said}`)));
  });
}

function stop(child) {
  return new Promise((ok) => { child.removeAllListeners('exit'); child.on('exit', ok); child.kill('SIGTERM'); });
}

export async function openBrowser() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
}

export const wide = { width: 1440, height: 1000 }, phone = { width: 390, height: 844 };

// Opens the page and keeps watch: an error on the console, a blocked script or style, a dialog, or a request that
// leaves the machine fails the test.
export async function openPage(browser, url, { viewport = wide, dark = false, path = '/' } = {}) {
  const context = await browser.newContext({ viewport, colorScheme: dark ? 'dark' : 'light', acceptDownloads: true, reducedMotion: 'reduce' });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const faults = [];
  const expected = [];
  page.on('console', (m) => { if (m.type() === 'error' && !expected.some((e) => m.text().includes(e))) faults.push(`console: ${m.text()}`); });
  page.on('pageerror', (e) => faults.push(`error: ${e.message}`));
  page.on('dialog', (d) => { faults.push(`dialog: ${d.message()}`); void d.dismiss(); });
  page.on('request', (r) => { if (!r.url().startsWith(`${url}/`) && !r.url().startsWith('blob:')) faults.push(`request to ${r.url()}`); });
  await page.goto(url + path);
  return { page, faults, expect: (text) => expected.push(text), close: () => context.close() };
}

// Waits until something on the page is so; the page draws a moment after an event.
export async function soon(get, wanted, text) {
  let given;
  for (let i = 0; i < 40; ++i) {
    given = await get();
    if (JSON.stringify(given) === JSON.stringify(wanted)) return;
    await new Promise((ok) => setTimeout(ok, 50));
  }
  same(given, wanted, text);
}

// Waits until the plans on the page answer what is asked now.
export async function settled(page) {
  await page.waitForTimeout(260);
  await page.waitForSelector('.plans-section[aria-busy="false"]', { timeout: 30_000 });
}

// What the cards say.
export async function plansOn(page) {
  return page.$$eval('.plans > li > .plan', (cards) => cards.map((card) => ({
    title: card.querySelector('h3')?.textContent,
    changes: [...card.querySelectorAll('.change')].map((c) => ({ feature: c.getAttribute('data-feature'), from: c.querySelector('.from')?.textContent, to: c.querySelector('.to')?.textContent })),
    chance: [...card.querySelectorAll('.facts b')][0]?.textContent,
    distance: card.querySelector('[data-testid=distance]')?.textContent,
    text: card.textContent,
  })));
}

// Asks the command line; the lines of its JSON output, without the first.
export function commandLine(file, csv, flags, name) {
  mkdirSync(work, { recursive: true });
  const out = join(work, `${name}.json`);
  rmSync(out, { force: true });
  try {
    execFileSync(scfe, ['explain', file, csv, ...flags, '-o', out], { stdio: 'pipe' });
  } catch (error) {
    if (error.status !== 1) throw error; // 1: some rows have no answer
  }
  return readFileSync(out, 'utf8').trim().split('\n').slice(1).map((line) => JSON.parse(line));
}

export async function axe(page, where) {
  await page.evaluate(axeSource);
  const result = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  check(result.passes.length > 10, `${where}: axe looked at next to nothing`);
  const bad = result.violations.filter((v) => v.impact === 'serious' || v.impact === 'critical');
  check(bad.length === 0, `${where}: ${bad.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => `${n.html.slice(0, 160)} ${n.failureSummary?.split('\n')[1] ?? ''}`).join(' | ')}`).join('; ')}`);
}
