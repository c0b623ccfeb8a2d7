import { type DefinitionKind, Slug } from '@svc/contract';
import { type TProperties, Type } from 'typebox';
import { closed } from '../../../platform/http/index.ts';

/** Version of the format. Later releases only add members to it. */
const version = 'v1';

/** Returns the format name of a kind's files. */
export const schemaNameOf = (kind: DefinitionKind): string =>
  `urn:svc:definition:${version}:${kind.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()}`;

/** Returns the schema of a kind's files. */
export const fileSchema = (kind: DefinitionKind, properties: TProperties) =>
  closed(
    Type.Object(
      {
        $schema: Type.Optional(
          Type.Unsafe<string>({
            type: 'string',
            enum: [schemaNameOf(kind)],
            description: 'Names this format.',
          }),
        ),
        ...properties,
      },
      { $id: schemaNameOf(kind) },
    ),
  );

/** Refers to a secret by its name; the value is never in a file. */
export const SecretRef = Type.Object({
  secret: Type.String({
    pattern: '^[A-Z][A-Z0-9_]{0,99}$',
    description: 'Name of the secret, e.g. `OPS_CHAT_HOOK`.',
  }),
});
export type SecretRef = { secret: string };

/** Text in the file, or the name of a text file next to it. */
export const TextOrFile = (text: ReturnType<typeof Type.String>) =>
  Type.Unsafe<string>({
    anyOf: [
      text,
      Type.Object({
        file: Type.String({
          pattern: '^[a-z0-9][a-z0-9-]{0,99}\\.sql$',
          description: 'Name of a file in the same folder.',
        }),
      }),
    ],
  });

export const Slugs = (description: string) =>
  Type.Array(Slug, { maxItems: 1_000, uniqueItems: true, description });
