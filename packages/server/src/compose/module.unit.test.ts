import { expect, test } from 'vitest';
import { closeModules, type Module, startModules } from './module.ts';

const recording = (name: string, record: (what: string) => void, failsToClose = false): Module => ({
  start: () => record(`${name} started`),
  close: () => {
    record(`${name} closed`);
    if (failsToClose) throw new Error(`${name} could not be closed`);
  },
});

test('modules start in order and close in reverse order', async () => {
  const seen: string[] = [];
  const modules = ['first', 'second', 'third'].map((name) => recording(name, (what) => seen.push(what)));
  await startModules(modules);
  await closeModules(modules);
  expect(seen).toEqual([
    'first started',
    'second started',
    'third started',
    'third closed',
    'second closed',
    'first closed',
  ]);
});

test('a module that fails to close does not prevent the others from closing', async () => {
  const seen: string[] = [];
  const modules = [
    recording('first', (what) => seen.push(what)),
    recording('second', (what) => seen.push(what), true),
    recording('third', (what) => seen.push(what)),
  ];
  await expect(closeModules(modules)).rejects.toThrow('second could not be closed');
  expect(seen).toEqual(['third closed', 'second closed', 'first closed']);
});

test('every failure is reported if several modules fail to close', async () => {
  const modules = ['first', 'second'].map((name) => recording(name, () => undefined, true));
  const failure = await closeModules(modules).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(AggregateError);
  const messages = (failure as AggregateError).errors.map((error: Error) => error.message);
  expect(messages).toEqual(['second could not be closed', 'first could not be closed']);
});

test('a module that fails to start ends the start with its error, and later modules do not start', async () => {
  const seen: string[] = [];
  const broken: Module = {
    start: () => {
      throw new Error('no start');
    },
  };
  const modules = [
    recording('first', (what) => seen.push(what)),
    broken,
    recording('third', (what) => seen.push(what)),
  ];
  await expect(startModules(modules)).rejects.toThrow('no start');
  expect(seen).toEqual(['first started']);
});

test('a repeated start starts one module twice and the modules before it once', async () => {
  const seen: string[] = [];
  const modules = ['first', 'second'].map((name) => recording(name, (what) => seen.push(what)));
  await startModules(modules, async (start) => {
    await start();
    if (seen.length === 2) await start();
  });
  expect(seen).toEqual(['first started', 'second started', 'second started']);
});
