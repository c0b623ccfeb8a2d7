import { describe, expect, it } from 'vitest';
import { fieldsOf, initialValues, missingFields } from './connection-fields.ts';

const schema = {
  type: 'object',
  required: ['host', 'port', 'password', 'tlsMode'],
  properties: {
    host: { type: 'string', title: 'Host', maxLength: 253 },
    port: { type: 'integer', title: 'Port', default: 5432 },
    password: { type: 'string', title: 'Password', default: '' },
    tlsMode: { anyOf: [{ const: 'Disable' }, { const: 'VerifyFull' }], default: 'VerifyFull', title: 'TLS' },
    caCertificate: { type: 'string', title: 'CA certificate', maxLength: 65_536 },
    openApi: { type: 'string', maxLength: 500_000, contentMediaType: 'application/json' },
    endpoints: { type: 'array', items: { type: 'string' } },
    files: { type: 'array', items: { type: 'object' } },
  },
};

describe('form of a connection', () => {
  it('shows each setting with the kind of field for its type', () => {
    expect(fieldsOf(schema).map(([name, field]) => [name, field.kind, field.isRequired])).toEqual([
      ['host', 'text', true],
      ['port', 'number', true],
      ['password', 'text', false],
      ['tlsMode', 'choice', true],
      ['caCertificate', 'long', false],
      ['openApi', 'document', false],
      ['endpoints', 'endpoints', false],
      ['files', 'files', false],
    ]);
  });

  it('starts with the default values', () => {
    expect(initialValues(schema)).toEqual({ port: 5432, password: '', tlsMode: 'VerifyFull' });
  });

  it('names each missing setting', () => {
    expect(missingFields(schema, initialValues(schema))).toEqual({ host: 'Fill this in.' });
  });
});
