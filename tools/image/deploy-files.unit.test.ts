import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { settings } from '../../packages/server/src/platform/config/settings/index.ts';

const deploy = path.resolve(import.meta.dirname, '../../deploy');
const read = (file: string): string => readFileSync(path.join(deploy, file), 'utf8');

/** Returns the settings that a file sets as environment variables. */
const namedIn = (text: string): string[] => [
  ...new Set(
    (text.match(/\bSvc__\w+/g) ?? []).map((name) => name.replace(/_FILE$/, '').replaceAll('__', ':')),
  ),
];

test.each(['Dockerfile', 'compose.yaml'])('%s uses only existing settings', (file) => {
  const named = namedIn(read(file));
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((key) => !Object.hasOwn(settings, key))).toEqual([]);
});

test('the image runs Node directly as its own user, and has a health check', () => {
  const text = read('Dockerfile');
  expect(text).toMatch(/^USER 10001:10001$/m);
  expect(text).toMatch(/^ENTRYPOINT \["\/usr\/bin\/tini-static", "--", "node",/m);
  expect(text).toMatch(/^HEALTHCHECK /m);
});

test('compose passes secrets as files and has a read-only file system', () => {
  const text = read('compose.yaml');
  expect(text).not.toMatch(/(PASSWORD|KEY|TOKEN|ConnectionString): *\S*[A-Za-z0-9]{12,}$/m);
  const services = text.split(/^ {2}(?=\w+:$)/m).filter((part) => part.includes('image: svc:'));
  expect(services).toHaveLength(3);
  for (const service of services) expect(service).toContain('read_only: true');
});
