// Names full of markup, images, light and dark, phone and wide, and what axe finds.
import { axe, check, openPage, phone, plansOn, same, settled, wide } from './harness.mjs';
import { hostile } from './fixtures.mjs';

async function choose(page, model) {
  await page.getByLabel('Model').selectOption(model);
  await page.locator('.features li, canvas').first().waitFor();
  await settled(page);
}

const views = ['one', 'many', 'groups'];

async function fill(page, view) {
  if (view === 'one') {
    await settled(page);
    const unfold = page.getByRole('button', { name: 'Edit and lock values' });
    if (await unfold.isVisible()) await unfold.click();
    await page.getByRole('button', { name: 'Limits of amount' }).click();
    await page.getByRole('button', { name: 'Limits of housing' }).click();
    await page.getByRole('button', { name: 'Answers may not change purpose' }).click();
    await settled(page);
    await page.waitForTimeout(900);
  } else {
    await page.getByRole('button', { name: /^Use the/ }).click();
    if (view === 'many') {
      await page.getByRole('button', { name: 'Find an answer for each row' }).click();
      await page.getByRole('heading', { name: 'Row by row' }).waitFor({ timeout: 60_000 });
    } else {
      await page.getByLabel('Compare groups by').selectOption('personal_status');
      await page.getByRole('button', { name: 'Compare', exact: true }).click();
      await page.getByRole('heading', { name: 'By personal status' }).waitFor({ timeout: 60_000 });
    }
  }
}

function look(view, dark, viewport) {
  return async ({ browser, demo, pictures }) => {
    const open = await openPage(browser, demo.url, { path: `/#${view}`, dark, viewport });
    await fill(open.page, view);
    await axe(open.page, `${view}, ${dark ? 'dark' : 'light'}`);
    const over = await open.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    check(over <= 0, `the page is ${over} pixels too wide`);
    await open.page.evaluate(() => globalThis.scrollTo(0, 0));
    if (pictures) await open.page.screenshot({ path: `${pictures}/${view}-${viewport.width}-${dark ? 'dark' : 'light'}.png`, fullPage: true });
    same(open.faults, [], 'faults of the page');
    await open.close();
  };
}

export const tests = {
  'names with markup are shown as text': async ({ browser, others }) => {
    const open = await openPage(browser, others.url), { page } = open;
    await choose(page, 'hostile');
    const words = await page.locator('body').innerText();
    for (const name of [hostile.amount, hostile.colour, hostile.unit, hostile.no, hostile.yes]) check(words.includes(name), `${name} is not on the page`);
    const options = await page.locator('.feature select option').allTextContents();
    for (const level of hostile.levels) check(options.includes(level), `level ${level} is not offered`);
    const plans = await plansOn(page);
    check(plans.length > 0, 'no plan');
    await page.locator('.plans button', { hasText: 'Try these values' }).first().click();
    await settled(page);
    for (const view of ['many', 'groups']) {
      await page.goto(`${others.url}/#${view}`);
      await page.getByLabel('Model').selectOption('hostile');
      await page.getByRole('button', { name: /^Use the/ }).click();
      await page.getByRole('button', { name: view === 'many' ? 'Find an answer for each row' : 'Compare', exact: true }).click();
      await page.getByRole('heading', { name: view === 'many' ? 'Row by row' : /^By / }).waitFor();
      check((await page.locator('main').innerText()).includes(hostile.amount), `${view}: the name is not on the page`);
    }
    same(await page.evaluate(() => globalThis.hit), undefined, 'script from a name ran');
    same(await page.locator('#page img, #page iframe, #page script, main b > b, main i, main u').count(), 0, 'elements made of names');
    same(open.faults, [], 'faults of the page');
    await open.close();
  },

  'images are drawn with their changed pixels': async ({ browser, others, pictures }) => {
    const open = await openPage(browser, others.url), { page } = open;
    await choose(page, 'images');
    await page.locator('.plan canvas').first().waitFor();
    const changes = parseInt(await page.locator('.plan .plan-head .soft').first().textContent(), 10);
    const ringed = await page.locator('.plan canvas').nth(1).evaluate((canvas) => {
      const pen = canvas.getContext('2d'), step = canvas.width / 8;
      let n = 0;
      for (let i = 0; i < 64; ++i) {
        const [r, g, b] = pen.getImageData((i % 8) * step + 1, Math.floor(i / 8) * step + step / 2, 1, 1).data;
        if (r !== g || g !== b) ++n;
      }
      return n;
    });
    check(changes > 1, 'no pixel changes');
    same(ringed, changes, 'pixels with a ring');
    same(await page.getByTestId('verdict').textContent(), 'lying', 'what the first image is');
    const canvas = page.locator('canvas.editable'), box = await canvas.boundingBox();
    for (const x of [3, 4]) for (const y of [0, 1, 2, 5, 6, 7]) { // light up the two middle columns
      await canvas.click({ position: { x: ((x + 0.5) * box.width) / 8, y: ((y + 0.5) * box.height) / 8 } });
      await page.getByLabel('Brightness of this pixel').fill('255');
    }
    await page.getByTestId('verdict').getByText('standing').waitFor();
    await axe(page, 'images');
    if (pictures) await page.screenshot({ path: `${pictures}/images.png`, fullPage: true });
    same(open.faults, [], 'faults of the page');
    await open.close();
  },

  'a proven answer says so': async ({ browser, others }) => {
    const open = await openPage(browser, others.url), { page } = open;
    await choose(page, 'hostile');
    await page.getByRole('slider', { name: 'How typical?' }).fill('0');
    await page.getByRole('radiogroup', { name: 'How many answers' }).getByRole('radio', { name: '1', exact: true }).check();
    await page.getByText('proven: none with as few changes is closer').first().waitFor();
    await open.close();
  },

  'colours follow the system and the switch, and the switch is remembered': async ({ browser, demo }) => {
    const open = await openPage(browser, demo.url, { dark: true }), { page } = open;
    const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await back();
    await page.getByRole('button', { name: 'Switch to light colours' }).click();
    const light = await back();
    check(dark !== light, 'the switch changed nothing');
    await page.reload();
    await page.getByRole('button', { name: 'Switch to dark colours' }).waitFor();
    same(await back(), light, 'colours after a reload');
    await open.close();
  },

  'a server with a token asks for it': async ({ browser, guarded, token }) => {
    const open = await openPage(browser, guarded.url), { page } = open;
    open.expect('401');
    await page.getByLabel('The token that it was started with').fill('wrong');
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByLabel('The token that it was started with').fill(token);
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.locator('.features li').first().waitFor();
    await settled(page);
    check((await plansOn(page)).length > 0, 'no plan');
    same(open.faults, [], 'faults of the page');
    await open.close();
  },
};
for (const view of views) for (const dark of [false, true]) for (const viewport of [wide, phone])
  tests[`${view}: axe finds nothing serious, nothing is cut off (${dark ? 'dark' : 'light'}, ${viewport.width} pixels)`] = look(view, dark, viewport);
