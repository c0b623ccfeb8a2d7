import { hostProblemKinds, problemCodes, problemEntry, problemHelpOf, problemHelpPath } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anonymousCaller } from '../access/index.ts';
import { createHttpApp, Refusal } from '../http/index.ts';
import { helpPlugin } from './help-plugin.ts';

const codes = Object.keys(problemCodes) as (keyof typeof problemCodes)[];
let isSetupOpen = false;
let app: FastifyInstance;

beforeAll(async () => {
  app = await createHttpApp({
    routes: [],
    log: pino({ level: 'silent' }),
    bodyLimitBytes: 1_000,
    knownProxies: [],
    authenticate: async () => anonymousCaller,
    checkAntiforgery: () => undefined,
    isSetupOpen: () => isSetupOpen,
    basePath: '/tools',
    plugins: [helpPlugin({ basePath: '/tools' })],
  });
});
afterAll(() => app.close());

describe('the page of the problem codes', () => {
  test('has an anchor for every code, with its title, its meaning and the next step', async () => {
    const page = await app.inject(problemHelpPath);
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const shown = new Map(
      page.body.split('<section id="').map((part) => [part.slice(0, part.indexOf('"')), part] as const),
    );
    const asHtml = (text: string) =>
      text.replaceAll('&', '&amp;').replaceAll(/`([^`]+)`/g, '<code>$1</code>');
    const missing = codes.filter((code) => {
      const { title, means, next } = problemEntry(code);
      return ![title, means, next].every((text) => shown.get(code)?.includes(asHtml(text)));
    });
    expect(missing).toEqual([]);
    expect(Object.keys(hostProblemKinds).filter((kind) => !shown.has(kind))).toEqual([]);
    const ids = [...page.body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('contains no script, and its policy permits only its own style', async () => {
    const page = await app.inject(problemHelpPath);
    const policy = String(page.headers['content-security-policy']);
    const [, nonce] = /style-src 'self' 'nonce-([^']+)'/.exec(policy) ?? [];
    expect(page.body).not.toMatch(/<script|\son\w+=|\sstyle=/);
    expect([...page.body.matchAll(/<style nonce="([^"]+)">/g)].map(([, styleNonce]) => styleNonce)).toEqual([
      nonce,
    ]);
    expect((await app.inject(problemHelpPath)).body).not.toContain(nonce);
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    });
  });

  test('has colours for light and dark mode, and links within the base', async () => {
    const { body } = await app.inject(problemHelpPath);
    expect(body).toContain('color-scheme: light dark');
    expect(body).toContain('@media (prefers-color-scheme: dark)');
    const links = [...body.matchAll(/href="([^"]*)"/g)].map(([, link]) => link ?? '');
    expect(links.filter((link) => !link.startsWith('#'))).toEqual(['/tools/svc']);
  });

  test('redirects to the setup page before the setup, as every page does', async () => {
    isSetupOpen = true;
    const page = await app.inject(problemHelpPath);
    isSetupOpen = false;
    expect([page.statusCode, page.headers.location]).toEqual([302, '/tools/svc/setup']);
  });
});

describe('the help address of a problem type', () => {
  test.each(['weak-password', 'setting-locked', 'internal', 'beacon', 'invalid-operation'])(
    'is an entry of the page for /errors/%s',
    (name) => {
      expect(problemHelpOf(`/errors/${name}`)).toBe(`/svc/help/errors#${name}`);
    },
  );

  test.each([
    '/errors',
    '/errors/',
    '/errors/unknown',
    '/errors/constructor',
    '/errors/internal/x',
    '/x/errors/internal',
  ])('does not exist for %s', (path) => {
    expect(problemHelpOf(path)).toBeUndefined();
  });

  test('is fixed by the specification for three codes, and an entry of the page for the others', () => {
    const fixed = codes.filter((code) => problemEntry(code).type !== undefined);
    expect(Object.fromEntries(fixed.map((code) => [code, problemEntry(code).type]))).toEqual({
      unauthorized: 'about:blank',
      'setting-locked': '/errors/setting-locked',
      internal: '/errors/internal',
    });
    expect(new Refusal('weak-password').type).toBe('/svc/help/errors#weak-password');
  });
});
