import { readFileSync } from 'node:fs';
import path from 'node:path';
import { startService } from '@svc/testkit/service/service.ts';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../platform/config/index.ts';

const recipe = readFileSync(
  path.join(import.meta.dirname, '../../../../../docs/recipes/single-sign-on.md'),
  'utf8',
);

/** Variables of each provider's section, as a shell reads them. */
const providers = [...recipe.matchAll(/^## (.+)\n\n```sh\n([\s\S]*?)```/gm)].map(
  ([, name = '', lines = '']) => {
    const variables = [...lines.matchAll(/^(Svc__\w+)=(?:'([^']*)'|(\S*))$/gm)].map(
      ([, key = '', quoted, bare]) => [key, quoted ?? bare ?? ''] as const,
    );
    return { name, variables: Object.fromEntries(variables) };
  },
);

describe('the recipe for single sign-on', () => {
  test('contains the settings of three providers', () => {
    expect(providers.map(({ name }) => name)).toEqual(['Keycloak', 'Entra ID', 'Google']);
  });

  test.each(providers)(
    'the settings for $name are valid, and the service starts with them',
    async ({ variables }) => {
      const { Svc__Authentication__Oidc__ClientSecret_FILE: secretFile, ...env } = variables;
      expect(secretFile).toBeTruthy();
      const { origins, config } = loadConfig({ env });
      const configured = [...origins.keys()].map((key) => [key, config[key]] as const);
      expect(configured.length).toBe(Object.keys(env).length);
      const svc = await startService({
        config: {
          ...Object.fromEntries(configured),
          'Svc:Authentication:Oidc:ClientSecret': 'a-secret',
          'Svc:PublicBaseUrl': 'https://data.example.org',
        },
      });
      await svc.close();
    },
  );
});
