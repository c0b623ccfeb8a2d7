import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core';
import { expect, vi } from 'vitest';
import { findProgram, hasPrograms } from '../../../../tools/test/programs.ts';

/** Chromium without a window. It has the same engine as the full browser and needs a fifth less processor time. */
const program = 'chromium-headless-shell';

/** False without Debian's Chromium. The browser tests are then skipped, and a line reports it. */
export const hasChromium: boolean = hasPrograms({
  tests: 'browser tests',
  programs: [program],
  debianPackage: program,
});

/** Browser of a test file. `close` closes only the profiles that were opened through it. */
export type TestBrowser = Pick<Browser, 'newContext' | 'contexts' | 'close'>;

let chromiumOfThisProcess: Promise<Browser> | undefined;

/**
 * Returns the Chromium of this process. All test files of the process share it, because a start costs more than a
 * page.
 */
function startedChromium(): Promise<Browser> {
  chromiumOfThisProcess ??= startChromium();
  return chromiumOfThisProcess;
}

async function startChromium(): Promise<Browser> {
  const started = await chromium.launch({
    executablePath: findProgram(program) ?? program,
    // `--disable-gpu` avoids the emulation of a graphics card. The sandbox needs rights that a container's root lacks.
    args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    // A signal ends this process, and the end of the process ends Chromium.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  // After a crash, the next test file starts a new Chromium.
  started.once('disconnected', () => {
    chromiumOfThisProcess = undefined;
  });
  return started;
}

export async function openBrowser(): Promise<TestBrowser> {
  const started = await startedChromium();
  const opened = new Set<BrowserContext>();
  return {
    newContext: async (options) => {
      const context = await started.newContext(options);
      opened.add(context);
      context.once('close', () => opened.delete(context));
      return context;
    },
    contexts: () => [...opened],
    close: async () => void (await Promise.all([...opened].map((context) => context.close()))),
  };
}

export type Visitor = {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Console errors and warnings, page errors, and requests to other origins. Tests expect none. */
  readonly complaints: string[];
  /** Pending requests. */
  readonly underWay: ReadonlySet<Request>;
};

/** Timeout of one action or wait in a page, including the first load, on a busy machine. */
export const actionMaxMs = 120_000;
const settleMax = { timeout: actionMaxMs, interval: 20 };

/** Opens a page in a new browser profile and collects its errors in `complaints`. */
export async function visit(
  browser: TestBrowser,
  origin: string,
  options: { readonly theme?: 'light' | 'dark'; readonly width?: number } = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: options.width ?? 1440, height: 900 },
    colorScheme: options.theme ?? 'light',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  // Logs the source of a violation of the content security policy. The browser's message omits it.
  await page.addInitScript(
    `document.addEventListener('securitypolicyviolation', (event) => console.error('policy', event.violatedDirective, event.sourceFile, event.lineNumber, event.columnNumber, event.target?.outerHTML?.slice(0, 300)))`,
  );
  page.setDefaultTimeout(actionMaxMs);
  const complaints: string[] = [];
  page.on('console', (message) => {
    // The browser also reports the refusals that a test provokes.
    const isRefusal = /Failed to load resource|^WebSocket .* HTTP Authentication failed/.test(message.text());
    if (['error', 'warning'].includes(message.type()) && !isRefusal) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const { protocol, origin: target } = new URL(request.url());
    if (/^https?:$/.test(protocol) && target !== origin) complaints.push(`a request to ${target}`);
  });
  const underWay = new Set<Request>();
  page.on('request', (request) => underWay.add(request));
  page.on('requestfinished', (request) => underWay.delete(request));
  page.on('requestfailed', (request) => underWay.delete(request));
  return { context, page, complaints, underWay };
}

/** Waits until a page has no pending requests and has drawn two frames without a new request. */
export async function settled({ page, underWay }: Visitor): Promise<void> {
  do {
    await vi.waitFor(() => expect([...underWay].map((request) => request.url())).toEqual([]), settleMax);
    await drawn(page);
  } while (underWay.size > 0);
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type AxeFinding = {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
};

/**
 * Runs axe. If content, visibility and width equal those of a run without violations, only colours can differ, as in
 * another theme. Then only the colour rules run.
 */
const runAxe = `(async () => {
  const isShown = [...document.querySelectorAll('body *')].map((element) => Number(element.checkVisibility())).join('');
  const state = new TextEncoder().encode(innerWidth + isShown + document.documentElement.innerHTML);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', state)).toHex();
  const faultless = (globalThis.faultlessForAxe ??= new Set());
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const ofColours = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };
  // Violations are returned with all their elements.
  const options = { resultTypes: ['violations'], runOnly: faultless.has(digest) ? ofColours : tags };
  const { violations } = await axe.run(document, options);
  if (violations.length === 0) faultless.add(digest);
  return violations;
})()`;

/**
 * Returns the violations that axe reports, one line per element. The content security policy does not block axe,
 * because `evaluate` runs outside the scripts of the page.
 */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(`typeof axe === 'object'`))) await page.evaluate(`${axeSource}; undefined`);
  const findings = (await page.evaluate(runAxe)) as readonly AxeFinding[];
  return findings.flatMap((finding) =>
    finding.nodes.map(
      (node) =>
        `${finding.id}: ${finding.help}: ${node.html.slice(0, 200)} ${node.failureSummary?.split('\n')[1] ?? ''}`,
    ),
  );
}

const screenshots = path.resolve(import.meta.dirname, '../../../web/screenshots');

/** Waits for two frames, after which a change of size or theme is drawn. */
const drawn = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');

/** Waits until the page is drawn. With `SVC_PICTURES=1`, saves a screenshot in `packages/web/screenshots`. */
export async function picture(page: Page, name: string): Promise<void> {
  await drawn(page);
  if (process.env['SVC_PICTURES'] === '1') await savePicture(page, name);
}

/** Saves a screenshot of the page in a folder that git ignores. */
export async function savePicture(page: Page, name: string): Promise<void> {
  mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path: path.join(screenshots, `${name}.png`) });
}
