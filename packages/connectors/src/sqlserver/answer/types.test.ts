import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sqlserverCell, sqlserverType, type TdsType } from './types.ts';

const bytes = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const cell = (type: TdsType, text: string) => sqlserverCell(type, bytes(text));

describe('SQL Server values', () => {
  it.each<[name: string, type: TdsType, hex: string, expected: unknown]>([
    ['tinyint', { number: 0x26, length: 1 }, 'ff', 255],
    ['smallint', { number: 0x26, length: 2 }, '0080', -32_768],
    ['int', { number: 0x38 }, 'ffffff7f', 2_147_483_647],
    ['bigint', { number: 0x26, length: 8 }, 'ffffffffffffff7f', '9223372036854775807'],
    ['bigint', { number: 0x7f }, '0000000000000080', '-9223372036854775808'],
    ['bigint', { number: 0x7f }, '0100000000000000', 1],
    ['bit', { number: 0x68 }, '01', true],
    ['real', { number: 0x6d, length: 4 }, 'cdcccc3d', 0.1],
    ['float', { number: 0x6d, length: 8 }, '9a9999999999b93f', 0.1],
    ['money', { number: 0x6e, length: 8 }, 'ffffff7f ffffffff', '922337203685477.5807'],
    ['money', { number: 0x3c }, '00000080 00000000', '-922337203685477.5808'],
    ['money', { number: 0x3c }, 'ffffffff ffffffff', -0.0001],
    ['smallmoney', { number: 0x6e, length: 4 }, 'ffffff7f', 214_748.3647],
    [
      'decimal(38,10)',
      { number: 0x6a, precision: 38, scale: 10 },
      `01 ${'ff'.repeat(15)}0f`,
      '2126764793255865396646091296.4485513215',
    ],
    ['decimal(38,38)', { number: 0x6a, precision: 38, scale: 38 }, `00 01${'00'.repeat(15)}`, -1e-38],
    ['numeric(9,2)', { number: 0x6c, precision: 9, scale: 2 }, '00 b6030000', -9.5],
    [
      'uniqueidentifier',
      { number: 0x24 },
      'ff19966f868b11d0b42d00c04fc964ff',
      '6F9619FF-8B86-D011-B42D-00C04FC964FF',
    ],
    ['date', { number: 0x28 }, '000000', '0001-01-01'],
    ['date', { number: 0x28 }, 'dab937', '9999-12-31'],
    ['time(7)', { number: 0x29, scale: 7 }, 'ffbf692ac9', '23:59:59.9999999'],
    ['time(0)', { number: 0x29, scale: 0 }, '7f5101', '23:59:59'],
    ['datetime2(7)', { number: 0x2a, scale: 7 }, '0100000000 000000', '0001-01-01T00:00:00.0000001'],
    ['datetime2(7)', { number: 0x2a, scale: 7 }, 'ffbf692ac9 dab937', '9999-12-31T23:59:59.9999999'],
    [
      'datetimeoffset(7)',
      { number: 0x2b, scale: 7 },
      'ffbf692ac9 dab937 e001',
      '9999-12-31T23:59:59.9999999Z',
    ],
    ['datetime', { number: 0x6f, length: 8 }, '00000000 01000000', '1900-01-01T00:00:00.003'],
    ['datetime', { number: 0x3d }, '46 2e ff ff 00 00 00 00', '1753-01-01T00:00:00.000'],
    ['smalldatetime', { number: 0x6f, length: 4 }, 'ffff 9f05', '2079-06-06T23:59:00'],
    ['varchar', { number: 0xa7 }, '80 e4', '€ä'],
    ['varchar', { number: 0xa7, encoding: 'utf-8' }, 'e282ac', '€'],
    ['char', { number: 0xaf, encoding: 'shift_jis' }, '93fa', '日'],
    ['nvarchar', { number: 0xe7 }, 'ac20 3dd800de', '€😀'],
    ['xml', { number: 0xf1 }, 'fffe 3c00 6100 2f00 3e00', '<a/>'],
    ['varbinary', { number: 0xa5 }, '00ff', '00ff'],
    ['geography', { number: 0xf0, userType: 'geography' }, 'e6', 'e6'],
  ])('of the type %s retain every digit: %j %s', (name, type, hex, expected) => {
    expect(sqlserverType(type)?.name).toBe(name);
    expect(cell(type, hex)).toBe(expected);
  });

  it('retain trailing zeros of decimals if text is requested', () => {
    const options = { decimalsAsText: true };
    expect(sqlserverCell({ number: 0x6a, precision: 9, scale: 2 }, bytes('01 b6030000'), options)).toBe(
      '9.50',
    );
    expect(sqlserverCell({ number: 0x3c }, bytes('00000000 10270000'), options)).toBe('1.0000');
  });

  it('are absent for bytes that are not valid for the type', () => {
    expect(sqlserverType({ number: 0x01 })).toBeUndefined();
    expect(cell({ number: 0x01 }, '00')).toBeUndefined();
    expect(cell({ number: 0x38 }, '000000')).toBeUndefined();
    expect(cell({ number: 0x6a, scale: 2 }, '02 00000000')).toBeUndefined();
    expect(cell({ number: 0x6a, scale: 39 }, '01 00000000')).toBeUndefined();
    expect(cell({ number: 0x28 }, 'ffffff')).toBeUndefined();
    expect(cell({ number: 0x29, scale: 7 }, 'ffffffffff')).toBeUndefined();
    expect(cell({ number: 0x2a, scale: 9 }, '0000000000000000')).toBeUndefined();
    expect(cell({ number: 0xe7 }, '00')).toBeUndefined();
  });

  it('are read from any bytes without an exception', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 255 }),
        fc.uint8Array({ maxLength: 40 }),
        fc.option(fc.integer({ min: 0, max: 255 }), { nil: undefined }),
        (number, value, scale) => {
          const read = sqlserverCell({ number, scale }, Buffer.from(value));
          expect(['string', 'number', 'boolean', 'undefined']).toContain(typeof read);
        },
      ),
      { numRuns: 10_000 },
    );
  });
});
