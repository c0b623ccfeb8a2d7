import { expect } from 'vitest';
import { ConnectorError } from '../error.ts';
import type { ResultStream } from '../port.ts';
import { rowsOf } from './results.ts';

/** Runs statements that must be refused. Returns the accepted ones. */
export async function answeredOf(
  statements: readonly string[],
  execute: (sql: string) => Promise<ResultStream>,
): Promise<string[]> {
  expect(new Set(statements).size).toBeGreaterThanOrEqual(150);
  const answered: string[] = [];
  for (const sql of statements) {
    try {
      const rows = await rowsOf(await execute(sql));
      answered.push(`${sql} → ${JSON.stringify(rows).slice(0, 100)}`);
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
    }
  }
  return answered;
}

/** Runs reads that must be accepted. Returns the refused ones, with the reason. */
export async function refusedOf(
  statements: readonly string[],
  execute: (sql: string) => Promise<ResultStream>,
): Promise<string[]> {
  expect(new Set(statements).size).toBeGreaterThanOrEqual(100);
  const refused: string[] = [];
  for (const sql of statements) {
    try {
      await rowsOf(await execute(sql));
    } catch (error) {
      refused.push(`${sql} → ${String(error)}`);
    }
  }
  return refused;
}

/** Checks statements that must be refused, without running them. Returns the accepted ones. */
export async function passedOf(
  statements: readonly string[],
  check: (sql: string) => Promise<void>,
): Promise<string[]> {
  expect(new Set(statements).size).toBeGreaterThanOrEqual(150);
  const passed: string[] = [];
  for (const sql of statements) {
    try {
      await check(sql);
      passed.push(sql);
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
    }
  }
  return passed;
}
