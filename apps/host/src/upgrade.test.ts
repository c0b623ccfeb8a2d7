import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import { signIn, superAdmin } from '@svc/testkit/people/people.ts';
import { encryptionKey, startService } from '@svc/testkit/service/service.ts';
import { expect, onTestFinished, test } from 'vitest';
import { summaryOf } from '../../../tools/release/service-summary.ts';
import { runCommand } from './program.ts';

const folder = path.join(import.meta.dirname, 'upgrades');
const versions = readdirSync(folder).flatMap((file) =>
  file.endsWith('.backup') ? [file.slice(0, -'.backup'.length)] : [],
);
const newKey = 'another-encryption-key-of-the-tests-0123456789';

const urlOf = ({ connection }: TestDatabase): string =>
  `postgres://${connection.user}:${encodeURIComponent(connection.password)}@${connection.host}:${connection.port}/${connection.database}`;

test('a backup of version 0.1.0 exists', () => {
  expect(versions).toContain('0.1.0');
});

test.each(versions)(
  'a backup of version %s can be restored, and the service then returns the same data',
  async (version) => {
    const database = await createEmptyDatabase();
    onTestFinished(() => database.drop());
    const said: string[] = [];
    const run = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
      runCommand(
        args,
        {
          env: {
            Svc__Database__ConnectionString: urlOf(database),
            Svc__EncryptionKey: encryptionKey,
            ...more,
          },
          say: (line) => void said.push(line),
          answer: (line) => void said.push(line),
        },
        async () => undefined,
      );
    expect(await run(['restore', path.join(folder, `${version}.backup`)])).toBe(0);
    expect(await run(['migrate', '--plan'])).toBe(0);
    expect(said.at(-1)).toBe('The database is up to date.');

    const service = await startService({ on: { testDatabase: database }, config: { 'Svc:Jobs:Workers': 0 } });
    const held = JSON.parse(readFileSync(path.join(folder, `${version}.json`), 'utf8'));
    try {
      expect(await summaryOf(await signIn(service, superAdmin))).toEqual(held);
    } finally {
      await service.close();
    }
    // Every stored secret can be decrypted: the rotation encrypts all of them under a new key.
    const previous = JSON.stringify([encryptionKey]);
    const keys = { Svc__EncryptionKey: newKey, Svc__PreviousEncryptionKeys: previous };
    expect(await run(['secrets', 'rotate'], keys)).toBe(0);
  },
);
