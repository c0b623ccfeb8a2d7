import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { baseOf } from './address.ts';
import type { CliContext } from './context.ts';
import { callerCommands, runCli } from './program.ts';

/** Runs a command line without a service. */
async function run(args: readonly string[], change: Partial<CliContext> = {}) {
  let [answered, said] = ['', ''];
  const context: CliContext = {
    env: {},
    stdin: (async function* () {})(),
    askSecret: undefined,
    answer: (part) => {
      answered += part.toString();
    },
    say: (line) => {
      said += `${line}\n`;
    },
    isTerminal: false,
    folder: '/nowhere',
    signal: new AbortController().signal,
    ...change,
  };
  return { code: await runCli(args, context), answered, said };
}

test('the help lists exactly the commands that are exported as caller commands', async () => {
  const { code, answered } = await run(['--help']);
  const listed = [...answered.matchAll(/^ {2}([a-z]+)/gm)].map(([, name]) => name);
  expect([code, listed.filter((name) => name !== 'help')]).toEqual([0, callerCommands]);
});

test.each([
  [[]],
  [['nonsense']],
  [['query']],
  [['query', 'list', '--project', '-1']],
  [['query', 'run', '1', '--param', 'a:=[1]']],
  [['subscription', 'test-run', '1', '--wait=forever']],
  [['api', 'GET', 'svc/api/queries']],
])('%j is refused as invalid usage, without a result', async (args) => {
  const { code, answered, said } = await run(args);
  expect([code, answered]).toEqual([2, '']);
  expect(said).not.toBe('');
});

test('a command without an address names SVC_URL as a way to set one', async () => {
  expect(await run(['query', 'list'])).toMatchObject({ code: 2, said: expect.stringContaining('SVC_URL') });
});

test('stored credentials without a valid address are reported, even if the caller passes an address', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, 'credentials.json'), '{"url":"data","key":"a"}', { mode: 0o600 });
  for (const env of [{}, { SVC_URL: 'https://data.example.org/svc' }])
    expect(await run(['query', 'list'], { folder, env })).toMatchObject({
      code: 1,
      said: expect.stringContaining('Log in again'),
    });
});

test('an address is accepted with and without the path segment of the pages', () => {
  for (const address of [
    'https://data.example.org',
    'https://data.example.org/svc',
    'https://data.example.org/svc/',
  ])
    expect(baseOf(address)).toBe('https://data.example.org');
  expect(baseOf('https://data.example.org/base/svc')).toBe('https://data.example.org/base');
});

test('the command lines in the guide use existing commands and options', async () => {
  const guide = path.resolve(import.meta.dirname, '../../../docs/guides/command-line.md');
  const lines = [...readFileSync(guide, 'utf8').matchAll(/^svc (.+)$/gm)].map(([, line = '']) => line);
  expect(lines.length).toBeGreaterThan(7);
  for (const line of lines) {
    const words = line.split(' ');
    const command = words.slice(
      0,
      callerCommands.includes(words[0] ?? '') && /^[a-z-]+$/.test(words[1] ?? '') ? 2 : 1,
    );
    const { code, answered } = await run([...command, '--help']);
    const options = words.filter((word) => /^--?[a-z]/.test(word)).map((word) => word.replace(/=.*/, ''));
    expect([line, code, options.filter((option) => !answered.includes(option))]).toEqual([line, 0, []]);
  }
});
