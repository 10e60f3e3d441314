// Tables of rows: batch jobs and groups.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, demoCsv, openPage, same, scfe, soon, work } from './harness.mjs';

const head = (rows) => {
  const file = join(work, `first_${rows}.csv`);
  writeFileSync(file, readFileSync(demoCsv, 'utf8').split('\n').slice(0, rows + 1).join('\n') + '\n');
  return file;
};

async function onView({ browser, demo }, path, run) {
  const open = await openPage(browser, demo.url, { path });
  await open.page.locator('#csv-file').waitFor();
  await run(open.page, open);
  same(open.faults, [], 'faults of the page');
  await open.close();
}

async function saved(page, name) {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
  return readFileSync(await file.path(), 'utf8');
}

export const tests = {
  'a table is uploaded, answered, filtered and downloaded': (all) => onView(all, '/#many', async (page) => {
    const csv = head(120);
    await page.locator('#csv-file').setInputFiles(csv);
    await page.getByText('first_120.csv').first().waitFor();
    await page.getByRole('button', { name: 'Find an answer for each row' }).click();
    await page.getByRole('heading', { name: 'Row by row' }).waitFor({ timeout: 60_000 });
    const out = join(work, 'page_batch.csv'), report = join(work, 'page_batch.html');
    const flags = ['--target', 'approved', '--max-changes', '3'];
    try { execFileSync(scfe, ['explain', all.demoFile, csv, ...flags, '-o', out, '-o', report], { stdio: 'pipe' }); } catch (e) { if (e.status !== 1) throw e; }
    same(await saved(page, /^CSV.*download/), readFileSync(out, 'utf8'), 'the downloaded CSV');
    check(/^<!doctype html>/i.test(await saved(page, /^Report.*download/)), 'the report is no HTML');
    const answered = readFileSync(out, 'utf8').trim().split('\n').slice(1);
    const valid = answered.filter((line) => line.split(',')[1] === 'valid').length;
    same(await page.locator('.tile', { hasText: 'has an answer' }).locator('dd').first().textContent(), String(valid), 'rows with a plan');
    same(await page.getByTestId('found').textContent(), '120 of 120', 'rows shown');
    await page.getByLabel('Outcome').selectOption('valid');
    await soon(() => page.getByTestId('found').textContent(), `${valid} of 120`, 'rows after the filter');
    await page.getByLabel('Search in the answers').fill('savings');
    const withSavings = answered.filter((line) => line.split(',')[1] === 'valid' && line.split(',')[3].split(';').includes('savings')).length;
    await soon(() => page.getByTestId('found').textContent(), `${withSavings} of 120`, 'rows whose plans change savings');
    await page.getByLabel('Search in the answers').fill('');
    await page.getByRole('button', { name: /^Open row/ }).first().click();
    await page.getByTestId('verdict').getByText('refused').waitFor();
    await page.locator('.plans .plan').first().waitFor();
  }),

  'progress is shown, and a job can be cancelled': (all) => onView(all, '/#many', async (page) => {
    const rows = readFileSync(demoCsv, 'utf8').trim().split('\n'), file = join(work, 'many.csv');
    writeFileSync(file, [rows[0], ...Array.from({ length: 20 }, () => rows.slice(1)).flat()].join('\n') + '\n');
    await page.locator('#csv-file').setInputFiles(file);
    await page.getByRole('button', { name: 'Find an answer for each row' }).click();
    await page.locator('progress').waitFor();
    await page.getByText(/of 20,000 rows done/).waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('heading', { name: 'many.csv' }).waitFor({ state: 'detached' });
  }),

  'a table that cannot be read is refused in the engine’s words': (all) => onView(all, '/#many', async (page, open) => {
    open.expect('400');
    const file = join(work, 'bad.csv');
    writeFileSync(file, 'amount\n12\n');
    await page.locator('#csv-file').setInputFiles(file);
    await page.getByRole('button', { name: 'Find an answer for each row' }).click();
    await page.getByRole('alert').filter({ hasText: /duration_months|column/ }).first().waitFor();
  }),

  'groups are compared as on the command line': (all) => onView(all, '/#groups', async (page) => {
    const csv = head(400), out = join(work, 'page_audit.csv');
    await page.locator('#csv-file').setInputFiles(csv);
    await page.getByLabel('Compare groups by').selectOption('personal_status');
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByRole('heading', { name: 'By personal status' }).waitFor({ timeout: 60_000 });
    try { execFileSync(scfe, ['audit', all.demoFile, csv, '--by', 'personal_status', '--target', 'approved', '--max-changes', '3', '-o', out], { stdio: 'pipe' }); } catch (e) { if (e.status !== 1) throw e; }
    const [header, ...lines] = readFileSync(out, 'utf8').trim().split('\n').map((line) => line.split(','));
    const shown = await page.$$eval('section[aria-labelledby=groups-table] tbody tr', (list) => list.map((tr) => [...tr.children].slice(0, 3).map((cell) => cell.textContent)));
    const column = (name) => header.indexOf(name);
    check(column('rows') > 0 && column('refused') > 0, `columns of the audit: ${header.join()}`);
    same(shown, lines.map((l) => [l[0].replaceAll('_', ' '), l[column('rows')], l[column('refused')]]), 'groups');
    check(lines.length >= 3, 'too few groups');
    check(await page.locator('.audit-charts .bar').count() >= 4 * lines.length, 'bars are missing');
  }),
};
