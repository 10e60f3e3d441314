// The view of one row: editing, plans, locks, limits, the curve, reasons.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, commandLine, openPage, plansOn, same, settled, soon, work } from './harness.mjs';

const set = async (page, label, value) => { await page.getByLabel(label, { exact: true }).fill(String(value)); };
const segment = (page, group, text) => page.getByRole('radiogroup', { name: group }).getByRole('radio', { name: text, exact: true }).check();
const slide = (page, label, value) => page.getByRole('slider', { name: label }).fill(String(value));
const api = (page, path, body) => page.evaluate(async ([p, b]) => (await fetch(p, b ? { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(b) } : {})).json(), [path, body]);

async function onDemo({ browser, demo }, run) {
  const open = await openPage(browser, demo.url);
  await settled(open.page);
  await run(open.page);
  same(open.faults, [], 'faults of the page');
  await open.close();
}

const rowOn = (page) => page.$$eval('.feature', (list) => Object.fromEntries(list.map((f) => [f.getAttribute('data-feature'), f.querySelector('select, input[type=number]').value])));

export const tests = {
  'controls are typed by the schema': (all) => onDemo(all, async (page) => {
    const model = await api(page, 'api/models/german_credit');
    let numbers = 0, levels = 0;
    for (const feature of model.features) {
      const line = page.locator(`[data-feature="${feature.name}"]`).first();
      if (feature.levels) {
        same((await line.locator('select option').evaluateAll((o) => o.map((x) => x.value))).sort(), [...feature.levels].sort(), feature.name);
        ++levels;
      } else {
        const slider = line.locator('input[type=range]').first();
        same([await slider.getAttribute('min'), await slider.getAttribute('max')].map(Number), feature.range, feature.name);
        if (feature.unit) check((await line.textContent()).includes(feature.unit), `${feature.name} has no unit`);
        ++numbers;
      }
      if (feature.immutable) check(await line.getByRole('button', { name: 'can never change' }).isDisabled(), `${feature.name} can be unlocked`);
    }
    same([numbers, levels], [7, 13], 'controls of German Credit');
  }),

  'the decision is live while editing, and edits can be undone': (all) => onDemo(all, async (page) => {
    const before = await page.getByTestId('chance').textContent();
    same(await page.getByTestId('verdict').textContent(), 'refused', 'verdict of the first row');
    await page.getByLabel('checking account', { exact: true }).selectOption('none');
    await set(page, 'duration months', 6);
    await page.waitForFunction((old) => document.querySelector('[data-testid=chance]').textContent !== old, before);
    await settled(page);
    const row = await rowOn(page), answer = await api(page, 'api/models/german_credit/predict', { row });
    const share = answer.predictions[0].probability.approved;
    const shown = await page.getByTestId('chance').textContent();
    check(share > 0.995 ? shown === 'above 99 %' : /50/.test(shown) || shown === `${Math.round(100 * share)} %`, `shown ${shown}, predicted ${share}`);
    check((await page.locator('[data-feature=duration_months] .was').textContent()).startsWith('was '), 'no mark of the old value');
    await page.getByRole('button', { name: 'Undo edits' }).click();
    await page.waitForFunction((old) => document.querySelector('[data-testid=chance]').textContent === old, before);
  }),

  'plans are those of the command line': (all) => onDemo(all, async (page) => {
    const questions = [
      { flags: ['--answers', '3', '--max-changes', '3'], ask: async () => {} },
      { flags: ['--answers', '2', '--max-changes', '2', '--freeze', 'savings', '--probability', '0.8', '--plausible', '0.25'], ask: async () => {
        await page.getByRole('button', { name: 'Answers may not change savings' }).click();
        await segment(page, 'Change at most this many things', '2');
        await segment(page, 'How many answers', '2');
        await slide(page, 'How sure?', 0.8);
        await slide(page, 'How typical?', 0.25);
      } },
    ];
    let compared = 0;
    for (const [i, { flags, ask }] of questions.entries()) {
      await ask();
      for (let turn = 0; turn < 8; ++turn) {
        await settled(page);
        const row = await rowOn(page), csv = join(work, `page_row_${i}_${turn}.csv`);
        writeFileSync(csv, `${Object.keys(row).join(',')}\n${Object.values(row).join(',')}\n`);
        const lines = commandLine(all.demoFile, csv, ['--target', 'approved', ...flags], `page_row_${i}_${turn}`).filter((l) => l.changes?.length);
        const plans = await plansOn(page);
        same(plans.map((p) => p.changes.map((c) => c.feature)), lines.map((l) => l.changes.map((c) => c.feature)), 'changed features');
        same(plans.map((p) => p.changes.map((c) => c.to)), lines.map((l) => l.changes.map((c) => (typeof c.to === 'number' ? String(c.to) : c.to.replaceAll('_', ' ')))), 'new values');
        same(plans.map((p) => Number(p.distance)), lines.map((l) => Number(l.metrics.l2.toFixed(3))), 'distances');
        compared += plans.length;
        await page.getByRole('button', { name: 'Next' }).click();
      }
    }
    check(compared >= 5, `only ${compared} plans were compared`);
  }),

  'lock savings, at most two changes, second plan': (all) => onDemo(all, async (page) => {
    await page.getByRole('button', { name: 'Answers may not change savings' }).click();
    await segment(page, 'Change at most this many things', '2');
    await settled(page);
    const plans = await plansOn(page);
    check(plans.length >= 2, 'fewer than two plans');
    for (const plan of plans) check(plan.changes.length <= 2 && !plan.changes.some((c) => c.feature === 'savings'), `a plan breaks a limit: ${JSON.stringify(plan)}`);
    await page.getByRole('article', { name: 'Answer B' }).getByRole('button', { name: 'Try these values' }).click();
    await page.getByTestId('verdict').getByText('approved').waitFor();
    await page.getByText('nothing has to change').waitFor();
  }),

  'a lock on a plan’s own change asks again': (all) => onDemo(all, async (page) => {
    const [first] = await plansOn(page), feature = first.changes[0].feature;
    await page.locator('.plans .plan').first().getByRole('button', { name: /Find answers that leave/ }).first().click();
    await settled(page);
    for (const plan of await plansOn(page)) check(!plan.changes.some((c) => c.feature === feature), `${feature} still changes`);
    await page.getByRole('button', { name: /stays.*lift this limit/ }).click();
    await settled(page);
    same((await plansOn(page))[0].changes, first.changes, 'plans after the lock was lifted');
  }),

  'a slider on the histogram limits a feature': (all) => onDemo(all, async (page) => {
    await page.getByRole('button', { name: 'Limits of amount' }).click();
    check(await page.locator('[data-feature=amount] .strip rect').count() > 5, 'no histogram');
    const slider = page.getByRole('slider', { name: 'amount: at least' });
    await slider.fill('3000');
    await slider.press('ArrowRight');
    const least = Number(await slider.inputValue());
    check(least > 3000, 'the arrow key did nothing');
    check((await page.locator('[data-feature=amount] .bound').first().textContent()).includes(`at least ${least}`), 'the limit is not named');
    await segment(page, 'How many answers', '5');
    await settled(page);
    for (const plan of await plansOn(page)) for (const c of plan.changes) if (c.feature === 'amount') check(Number(c.to) >= least, `amount ${c.to} is below ${least}`);
    await segment(page, 'Which way amount may go', 'only up');
    await settled(page);
    for (const plan of await plansOn(page)) for (const c of plan.changes) if (c.feature === 'amount') check(Number(c.to) >= Number(c.from), 'amount fell');
    await page.getByRole('button', { name: 'Lift these limits' }).click();
    await soon(() => page.locator('.chip').count(), 0, 'limits after lifting them');
  }),

  'sureness and typicality are kept': (all) => onDemo(all, async (page) => {
    await slide(page, 'How sure?', 0.9);
    await slide(page, 'How typical?', 0.3);
    await settled(page);
    const plans = await plansOn(page);
    check(plans.length > 0, 'no plan');
    for (const plan of plans) check(plan.chance.startsWith('above') || parseInt(plan.chance, 10) >= 90, `chance ${plan.chance}`);
  }),

  'several plans differ in what they change': (all) => onDemo(all, async (page) => {
    await segment(page, 'How many answers', '5');
    await settled(page);
    const sets = (await plansOn(page)).map((p) => p.changes.map((c) => c.feature).sort().join());
    check(sets.length > 2 && new Set(sets).size === sets.length, `sets of features: ${sets.join(' | ')}`);
    const tops = await page.$$eval('.plans > li', (list) => list.map((l) => l.getBoundingClientRect().top));
    check(tops[0] === tops[1], 'plans are not side by side');
  }),

  'the trade-off curve can be clicked along, by mouse and keys': (all) => onDemo(all, async (page) => {
    const points = page.locator('.curve .point');
    for (let i = 0; i < 20; ++i) { // the first rows with a bend
      await settled(page);
      await page.waitForTimeout(900);
      if (await points.count() > 2) break;
      await page.getByRole('button', { name: 'Next' }).click();
    }
    const n = await points.count();
    check(n > 2, 'no curve of three points');
    const titles = new Set();
    for (let i = 0; i < n; ++i) {
      await points.nth(i).locator('.spot').click();
      await soon(() => points.nth(i).getAttribute('aria-checked'), 'true', 'the clicked point is chosen');
      titles.add(await page.locator('.curve .plan h3').textContent());
    }
    same(titles.size, n, 'a plan for each point');
    await points.nth(n - 1).press('ArrowLeft');
    await soon(() => points.nth(n - 2).getAttribute('aria-checked'), 'true', 'the arrow key moves along');
    const label = await points.nth(n - 2).getAttribute('aria-label'), changes = parseInt(label, 10);
    check((await page.locator('.curve .plan .change').count()) <= changes, 'more changes than the point says');
    const allow = page.locator('.curve .plan').getByRole('button', { name: /^Allow/ });
    if (await allow.count()) {
      await allow.click();
      await soon(() => page.getByRole('radiogroup', { name: 'Change at most this many things' }).locator('input:checked + span').textContent(), String(changes), 'changes allowed');
    }
  }),

  'why there is none, and a hint that helps': (all) => onDemo(all, async (page) => {
    const model = await api(page, 'api/models/german_credit');
    await segment(page, 'Change at most this many things', '1');
    for (const f of model.features) if (!f.immutable && f.name !== 'telephone') await page.locator(`.features [data-feature="${f.name}"] .tools button`).first().click();
    await page.getByTestId('none').waitFor();
    await settled(page);
    check((await page.getByTestId('none').textContent()).length > 60, 'no reason');
    const hints = page.locator('.hint-list button'), n = await hints.count();
    check(n > 0, 'no hint');
    await hints.first().click();
    await settled(page);
    check((await plansOn(page)).length > 0, 'the hint did not help');
  }),

  'a row that has the decision already says so, and can be turned round': (all) => onDemo(all, async (page) => {
    await page.getByLabel('The decision you want').selectOption('refused');
    await page.getByText('The decision is refused already').waitFor();
    await page.getByRole('button', { name: 'What would make it approved?' }).click();
    await settled(page);
    check((await plansOn(page)).length > 0, 'no plan');
  }),

  'the keyboard reaches and works the controls': (all) => onDemo(all, async (page) => {
    await page.keyboard.press('Tab');
    same(await page.evaluate(() => document.activeElement.textContent), 'Skip to the content', 'the first stop');
    await page.keyboard.press('Enter');
    same(await page.evaluate(() => document.activeElement.id), 'main', 'where the link leads');
    await page.getByRole('button', { name: 'Try these values' }).first().focus();
    await page.keyboard.press('Enter');
    same(await page.evaluate(() => document.activeElement.id), 'decision', 'where an answer leads that is tried');
    await page.getByRole('button', { name: 'Undo edits' }).click();
    await settled(page);
    const lock = page.getByRole('button', { name: 'Answers may not change purpose' });
    for (let i = 0; i < 120 && !(await lock.evaluate((b) => b === document.activeElement)); ++i) await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await soon(() => lock.getAttribute('aria-pressed'), 'true', 'the lock by the space bar');
    const radios = page.getByRole('radiogroup', { name: 'How many answers' });
    await radios.locator('input:checked').focus();
    await page.keyboard.press('ArrowRight');
    await soon(() => radios.locator('input:checked + span').textContent(), '4', 'plans by arrow key');
  }),

  'what the engine refuses is shown in its words': async ({ browser, demo }) => {
    const open = await openPage(browser, demo.url);
    open.expect('400');
    await settled(open.page);
    await set(open.page, 'amount, as a number', '');
    await open.page.getByRole('alert').filter({ hasText: /^amount: enter a number \(/ }).first().waitFor();
    same(open.faults, [], 'faults of the page');
    await open.close();
  },
};
