import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import { type DeliveryFixture, startDeliveryFixture } from '@svc/testkit/runs/delivery-fixture.ts';
import { encryptionKey } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { runCommand } from '../program.ts';

export const urlOf = ({ connection }: TestDatabase): string => {
  const { host, port, user, password, database } = connection;
  return `postgres://${user}:${encodeURIComponent(password)}@${host}:${port}/${database}`;
};

export async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  onTestFinished(() => database.drop());
  return database;
}

/** Provides a service with its database and a folder per test file, and runs commands of the machine on them. */
export function commandLine() {
  let fixture: DeliveryFixture;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'svc-commands-'));
    fixture = await startDeliveryFixture();
  }, 300_000);
  afterAll(async () => {
    await fixture.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs a command line on the fixture's database, or on another one. */
  const svc = async (args: readonly string[], more: Readonly<Record<string, string | undefined>> = {}) => {
    const said: string[] = [];
    let answered = '';
    const env = {
      Svc__Database__ConnectionString: urlOf(fixture.svc.testDatabase),
      Svc__EncryptionKey: encryptionKey,
      Svc__DataDirectory: folder,
      // Avoids conflicts with other processes of this machine.
      Svc__Host__Port: '0',
      ...more,
    };
    const context = {
      env,
      say: (line: string) => void said.push(line),
      answer: (text: string) => {
        answered += text;
      },
    };
    const failure: unknown[] = [];
    const code = await runCommand(args, context, async () => undefined).catch((error: unknown) => {
      failure.push((error as Error).message);
      return 'thrown';
    });
    return { code, said: said.join('\n'), answered, failure: failure.join() };
  };

  return { fixture: () => fixture, folder: () => folder, svc };
}
