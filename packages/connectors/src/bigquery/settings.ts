import Type from 'typebox';
import { settingsForm } from '../settings.ts';
import { keyFileFault } from './key-file.ts';

const schema = Type.Object(
  {
    project: Type.String({
      title: 'Project',
      description: 'ID of the project that runs the statements and is billed for them.',
      minLength: 1,
      maxLength: 100,
      pattern: '^([a-z0-9][a-z0-9.-]*:)?[a-z][a-z0-9-]*[a-z0-9]$',
    }),
    dataset: Type.String({
      title: 'Default dataset',
      description: 'Tables without a dataset before their name are looked for there.',
      maxLength: 1_024,
      pattern: '^[A-Za-z0-9_]*$',
      default: '',
    }),
    location: Type.String({
      title: 'Location',
      description: 'Where the datasets are, such as EU or europe-west3. Empty: BigQuery finds it out.',
      maxLength: 64,
      pattern: '^([A-Za-z][A-Za-z0-9-]*)?$',
      default: '',
    }),
    keyFile: Type.String({
      title: 'Key file',
      description: 'The key of a service account, as the JSON file that Google Cloud made.',
      minLength: 1,
      maxLength: 16_384,
      contentMediaType: 'application/json',
    }),
    maxBilledGib: Type.Integer({
      title: 'Most billed per statement (GiB)',
      description: 'A statement that would be billed for more fails, and costs nothing.',
      minimum: 1,
      maximum: 1_048_576,
      default: 10,
    }),
    caCertificate: Type.Optional(
      Type.String({
        title: 'CA certificate',
        description: 'PEM text of an authority of your own, where a proxy opens TLS connections to Google.',
        maxLength: 65_536,
        pattern: '-----BEGIN CERTIFICATE-----',
      }),
    ),
  },
  { additionalProperties: false },
);

/** Project of BigQuery, and the service account that queries it. */
export type BigQueryConnection = Type.Static<typeof schema>;

export const bigquerySettings = settingsForm({
  schema,
  secretFields: ['keyFile'],
  check: ({ keyFile }) => {
    const message = keyFileFault(keyFile);
    return message === undefined ? undefined : { field: 'keyFile', message };
  },
});

const bytesOfGib = 1_073_741_824;

export const maxBilledBytes = ({ maxBilledGib }: BigQueryConnection): number => maxBilledGib * bytesOfGib;

/** The only host that receives queries. */
const apiHost = 'bigquery.googleapis.com';
/** The only host for signing in. The `token_uri` of a key file is ignored. */
export const tokenHost = 'oauth2.googleapis.com';

/** Returns the connection target of one of the two hosts, with TLS and a verified certificate. */
export const targetOf = ({ caCertificate }: Pick<BigQueryConnection, 'caCertificate'>, host = apiHost) => ({
  host,
  port: 443,
  tlsMode: 'VerifyFull' as const,
  ...(caCertificate !== undefined && { caCertificate }),
});
