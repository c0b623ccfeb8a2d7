import path from 'node:path';
import { weigh } from '@svc/testkit/browser/weight.ts';
import { buildWeb } from '@svc/testkit/service/web-build.ts';
import { type Browser, chromium, type Page } from 'playwright-core';
import { findProgram } from '../../tools/test/programs.ts';
import type { Bench } from '../run/bench.ts';
import { startBenchDatabase } from '../run/database.ts';
import { addEditor, password, setupToken } from '../run/people.ts';
import { startSubject } from '../run/subject.ts';

const folder = import.meta.dirname;
const loginPath = '/svc/login';
const targetMs = 1_000;

/** Slowdown of the processor, as browser developer tools emulate it. */
const slowdown = 6;
const slowHomeMaxMs = 6_000;
const slowRoundsMax = 5;
/** Selector of a key figure with its number. */
const keyFigures = 'main ul[aria-label="Key figures"] >> text=/^[0-9]+$/';

/** Script that records when the first field of the form can take the focus, from the start of the navigation. */
const noteFocusable = `globalThis.focusableAt = new Promise((resolve) => {
  const look = () => {
    const field = document.querySelector('input[name="username"]');
    if (!field || field.disabled || field.getClientRects().length === 0) return;
    field.focus();
    if (document.activeElement !== field) return;
    resolve(performance.now());
    watch.disconnect();
  };
  const watch = new MutationObserver(look);
  watch.observe(document, { subtree: true, childList: true, attributes: true });
})`;

async function loadOnce(page: Page, origin: string): Promise<number> {
  await page.goto(origin + loginPath, { waitUntil: 'commit' });
  return (await page.evaluate('globalThis.focusableAt')) as number;
}

/** Measures cold loads of the home page by a signed-in user, until its key figures are visible. */
async function loadSlowHome(browser: Browser, origin: string, rounds: number): Promise<number[]> {
  const signedIn = await browser.newContext();
  const answer = await signedIn.request.post(`${origin}/svc/api/auth/login`, {
    data: { username: 'editor', password },
  });
  if (!answer.ok()) throw new Error(`The sign-in answered ${answer.status()}.`);
  const storageState = await signedIn.storageState();
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const context = await browser.newContext({ storageState });
    const { shownMs } = await weigh(context, `${origin}/svc/home`, { shows: keyFigures, slowdown });
    times.push(shownMs);
    await context.close();
  }
  return times;
}

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const ms = (value: number): string => `${Math.round(value)} ms`;

/** Measures a warm load of the sign-in form, and a cold load of the home page on a slow machine. */
export const bench: Bench = {
  purpose:
    'warm loads of /svc/login in Chromium, from the start of the navigation to a form that takes focus; and cold loads of /svc/home with the processor slowed down six times',
  run: async ({ rounds }) => {
    const executablePath = findProgram('chromium');
    if (executablePath === undefined) {
      throw new Error('This needs Chromium: install the Debian package chromium.');
    }
    const pages = buildWeb();
    const database = await startBenchDatabase();
    const settings = { 'Svc:UserManagement:SetupToken': setupToken, 'Svc:EncryptionKey': 'k'.repeat(32) };
    const service = await startSubject('service', path.join(folder, '../run/service.ts'), {
      connection: database.connection,
      settings,
      pages,
    });
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const browser = await chromium.launch({ executablePath, args });
    try {
      const { origin } = service.ready as { origin: string };
      await addEditor(origin, database);
      const page = await (await browser.newContext()).newPage();
      await page.addInitScript(noteFocusable);
      const cold = await loadOnce(page, origin);
      const warm: number[] = [];
      for (let round = 0; round < rounds; round += 1) warm.push(await loadOnce(page, origin));
      const median = medianOf(warm);
      const verdict = median < targetMs ? 'reached' : 'NOT reached';
      process.stdout.write(
        `  median of ${rounds} warm loads ${ms(median)} (${ms(Math.min(...warm))} to ${ms(Math.max(...warm))}), first load ${ms(cold)}\n` +
          `  target: under ${ms(targetMs)}, ${verdict}\n`,
      );
      const slowHome = await loadSlowHome(browser, origin, Math.min(rounds, slowRoundsMax));
      process.stdout.write(
        `  home with a processor ${slowdown} times slower: ${slowHome.map(ms).join(', ')}; target: under ${ms(slowHomeMaxMs)}\n`,
      );
      return [
        {
          title: `home with its key figures, the processor ${slowdown} times slower`,
          unit: 'ms',
          against: null,
          values: [Math.round(medianOf(slowHome))],
          floorValues: [],
          ratios: [],
          target: { valueMax: slowHomeMaxMs },
          pairs: slowHome.length,
        },
        {
          title: 'a warm load',
          unit: 'ms',
          against: null,
          values: [Math.round(median)],
          floorValues: [],
          ratios: [],
          target: { valueMax: targetMs },
          pairs: rounds,
        },
      ];
    } finally {
      await browser.close();
      await service.stop();
      await database.stop();
    }
  },
};
