// Takes the pictures of the page that the docs show, from the demo: make pictures.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser, openPage, phone, root, settled, startServer, wide } from './harness.mjs';

const folder = join(root, 'docs/pictures');
mkdirSync(folder, { recursive: true });
const server = await startServer(['--demo']), browser = await openBrowser();

async function picture(name, options, prepare) {
  const open = await openPage(browser, server.url, options);
  await prepare(open.page);
  await open.page.screenshot({ path: join(folder, `${name}.png`) });
  await open.close();
}

async function lockSavings(page) {
  await settled(page);
  const unfold = page.getByRole('button', { name: 'Edit and lock values' });
  if (await unfold.isVisible()) await unfold.click();
  await page.getByRole('button', { name: 'Answers may not change savings' }).click();
  await page.getByRole('radiogroup', { name: 'Change at most this many things' }).getByRole('radio', { name: '2', exact: true }).check();
  await settled(page);
  await page.waitForTimeout(1200);
  if (await unfold.count() === 0 && (await page.viewportSize()).width < 1000) await page.getByRole('button', { name: 'Hide the values' }).click();
}

await picture('one', { viewport: { ...wide, height: 1120 } }, lockSavings);
await picture('one-dark-phone', { viewport: phone, dark: true }, async (page) => {
  await lockSavings(page);
  await page.locator('#plans-title').evaluate((title) => title.scrollIntoView());
});
await picture('many', { viewport: wide, path: '/#many' }, async (page) => {
  await page.getByRole('button', { name: /^Use the/ }).click();
  await page.getByRole('button', { name: 'Find an answer for each row' }).click();
  await page.getByRole('heading', { name: 'Row by row' }).waitFor();
});
await picture('groups-dark', { viewport: { ...wide, height: 900 }, dark: true, path: '/#groups' }, async (page) => {
  await page.getByRole('button', { name: /^Use the/ }).click();
  await page.getByLabel('Compare groups by').selectOption('personal_status');
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.getByRole('heading', { name: 'By personal status' }).waitFor();
});
await browser.close();
await server.stop();
