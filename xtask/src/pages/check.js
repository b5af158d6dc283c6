// Looks at every page in Chromium, at each width, in each scheme and as printed, and names what is
// wrong:
//   node check.js BROWSER FOLDER [--pictures]
// It must not mend a page, and must not pass where it found no page.

import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';
import { EXPECTED } from './faults.js';
import { serve } from './server.js';

// Width, scheme and medium; the two of a line are looked at together. Paper is white for those who
// prefer a dark screen too.
const WINDOWS = [
  [[320, 'light', 'screen'], [320, 'dark', 'screen']],
  [[390, 'light', 'screen'], [390, 'dark', 'screen']],
  [[1280, 'light', 'screen'], [1280, 'dark', 'screen']],
  [[720, 'light', 'print'], [720, 'dark', 'print']],
];
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'];
const PICTURES = 'pictures';
// What the buttons of a test order without payments post.
const CHOICES = ['exact-0', 'less-0', 'more-0'];

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const [, , executablePath, folder, pictures] = process.argv;

// What a page does that it must not: it is collected from before its first byte is read.
function watch(page, origin, findings) {
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) {
      findings.push(['console', message.text()]);
    }
  });
  page.on('pageerror', (error) => findings.push(['console', String(error)]));
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) {
      findings.push(['request', request.url()]);
    }
  });
}

// The policy reports to the page itself, where the style that it refused would have been.
const LISTEN = `window.refused = [];
addEventListener('securitypolicyviolation', (event) =>
  window.refused.push(event.violatedDirective + ': ' + (event.blockedURI || event.sample)));`;

// How far the page is wider than the window, and which elements are.
function overflow() {
  const width = document.documentElement.clientWidth;
  const wide = [...document.querySelectorAll('body, body *')].filter((element) => {
    const box = element.getBoundingClientRect();
    return box.right > width + 0.5 || box.left < -0.5;
  });
  const names = wide.map((element) => `${element.tagName.toLowerCase()}.${element.className}`);
  return document.documentElement.scrollWidth > width ? ['the page', ...names] : names;
}

async function accessibility(page) {
  await page.evaluate(AXE);
  const runOnly = { type: 'tag', values: RULES };
  const options = { runOnly, resultTypes: ['violations', 'incomplete'] };
  const found = await page.evaluate(async (options) => {
    const { violations, incomplete, passes } = await axe.run(document, options);
    const places = (nodes) => nodes.map((node) => node.target).join(', ');
    const names = (results) =>
      results.map(({ id, help, nodes }) => `${id}: ${help}: ${places(nodes)}`);
    return { found: names([...violations, ...incomplete]), passed: passes.length };
  }, options);
  return found.passed > 0 ? found.found : ['no rule was applied'];
}

// What can be reached with the keyboard has a ring when it is.
async function focus(page) {
  const count = await page.locator('a, button').count();
  const missing = [];
  for (let reached = 0; reached < count; reached += 1) {
    await page.keyboard.press('Tab');
    const shown = await page.evaluate(() => {
      const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
      const isReached = document.activeElement.matches('a, button');
      const hasRing = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
      return { text: document.activeElement.textContent, good: isReached && hasRing };
    });
    if (!shown.good) {
      missing.push(shown.text.slice(0, 60));
    }
  }
  return missing;
}

async function look({ page, medium }, origin, path, findings) {
  await page.goto(origin + path);
  const add = (kind, found) => findings.push(...found.map((text) => [kind, text]));
  add('accessibility', await accessibility(page));
  add('overflow', await page.evaluate(overflow));
  add('policy', await page.evaluate('window.refused'));
  if (medium === 'screen') {
    add('focus', await focus(page));
  }
}

// One click selects a whole number, and what is selected has no space in it.
async function copying(page) {
  const wrong = [];
  for (const number of await page.locator('.number .copyable').all()) {
    await number.click();
    const [selected, text] = await number.evaluate((element) => [
      getSelection().toString(),
      element.textContent,
    ]);
    if (selected !== text || !/^\d+$/.test(selected)) {
      wrong.push(`"${selected}" is selected of "${text}"`);
    }
  }
  return wrong;
}

// The link loads the page again, and each button of a test page posts its choice.
async function using(page, server, path) {
  await page.goto(server.origin + path);
  const wrong = path.startsWith('/open.') ? await copying(page) : [];
  const link = page.locator(`a[href="${path}"]`);
  if ((await link.count()) > 0) {
    server.loaded.length = 0;
    await Promise.all([page.waitForEvent('load'), link.click()]);
    if (server.loaded.join() !== path) {
      wrong.push(`the link loads ${server.loaded.join() || 'nothing'}`);
    }
  }
  server.posted.length = 0;
  for (const choice of CHOICES) {
    const button = page.locator(`button[name="pay"][value="${choice}"]`);
    await Promise.all([page.waitForEvent('load'), button.click()]);
  }
  const posted = server.posted.map(({ path, body }) => `${path} ${body}`).join();
  const expected = CHOICES.map((choice) => `${path} pay=${choice}`).join();
  return posted === expected ? wrong : [...wrong, `the form posts ${posted || 'nothing'}`];
}

// A window, which reaches this machine and nothing else.
async function open(browser, origin, [width, colorScheme, medium]) {
  const viewport = { width, height: 800 };
  const context = await browser.newContext({ viewport, colorScheme, serviceWorkers: 'block' });
  await context.addInitScript(LISTEN);
  await context.route((url) => url.origin !== origin, (route) => route.abort());
  const page = await context.newPage();
  await page.emulateMedia({ media: medium });
  const found = [];
  watch(page, origin, found);
  return { page, medium, found, name: `${width}-${colorScheme}-${medium}` };
}

async function findFaults(window, origin) {
  const missed = [];
  for (const { kind, path } of EXPECTED) {
    window.found.length = 0;
    await look(window, origin, path, window.found);
    if (!window.found.some(([found]) => found === kind)) {
      missed.push(`${path}: its fault of ${kind} is not found`);
    }
  }
  return missed;
}

async function lookAtAll(window, server, sets) {
  const wrong = [];
  // How wide a long text is was seen on the screen.
  const isLookedAt = (path) => window.medium === 'screen' || !/\.(long|hostile)\./.test(path);
  for (const path of server.names.filter(isLookedAt)) {
    window.found.length = 0;
    await look(window, server.origin, path, window.found);
    const found = window.found.map(([kind, text]) => `${kind}: ${text}`);
    wrong.push(...found.map((text) => `${path} at ${window.name}: ${text}`));
    const set = path.slice(1).split('.')[0];
    sets.set(set, (sets.get(set) ?? 0) + 1);
    if (pictures) {
      const file = `${PICTURES}/${path.slice(1, -'.html'.length)}.${window.name}.png`;
      await window.page.evaluate(() => document.activeElement.blur());
      await window.page.screenshot({ path: file, fullPage: true });
    }
  }
  return wrong;
}

async function main() {
  const server = await serve(folder);
  const { origin, names } = server;
  const browser = await chromium.launch({ executablePath });
  console.log(`pages: Chromium ${browser.version()}, axe-core ${AXE.match(/axe v([\d.]+)/)[1]}`);
  if (pictures) {
    rmSync(PICTURES, { recursive: true, force: true });
    mkdirSync(PICTURES);
  }
  const sets = new Map();
  const wrong = [];
  for (const pair of WINDOWS) {
    const windows = await Promise.all(pair.map((kind) => open(browser, origin, kind)));
    if (pair === WINDOWS[0]) {
      wrong.push(...(await findFaults(windows[0], origin)));
    }
    const found = await Promise.all(windows.map((window) => lookAtAll(window, server, sets)));
    wrong.push(...found.flat());
    await Promise.all(windows.map(({ page }) => page.context().close()));
  }
  const { page } = await open(browser, origin, WINDOWS[1][0]);
  const used = names.filter((path) => path.endsWith('.short.test.html'));
  for (const path of used) {
    wrong.push(...(await using(page, server, path)).map((text) => `${path}: ${text}`));
  }
  await browser.close();
  server.close();
  report(sets, used.length, wrong);
}

function report(sets, used, wrong) {
  for (const [set, count] of sets) {
    console.log(`pages: ${set}: ${count} views`);
  }
  wrong.forEach((text) => console.log(text));
  const views = [...sets.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    `pages: ${views} views, ${used} pages used, ${EXPECTED.length} pages with a fault; ` +
      `${wrong.length} finding(s)`,
  );
  process.exitCode = views > 0 && used > 0 && wrong.length === 0 ? 0 : 1;
}

await main();
