import { describe, expect, test } from 'vitest';
import { firstChoices } from '../choices.ts';
import { type firstRouting, readPasted, routingErrors, withPasted } from './routing.ts';

const north = { id: 1, name: 'North', notificationType: 'Webhook', state: 'Approved' } as const;
const south = { ...north, id: 2, name: 'South' };
const choices = { ...firstChoices(1), recipients: [north, south] };
const errorsOf = (routing: Partial<typeof firstRouting>, more: Partial<typeof choices> = {}) =>
  routingErrors({
    ...choices,
    ...more,
    routing: {
      column: 'region',
      routes: [{ value: 'a', recipientId: 1 }],
      fallbackRecipientId: null,
      ...routing,
    },
  });

describe('pasted lines of a routing', () => {
  test('become routes, with recipient names in upper or lower case', () => {
    expect(readPasted('a\tNorth\r\nb\t south \n\n c \tNORTH\textra', [north, south])).toEqual({
      routes: [
        { value: 'a', recipientId: 1 },
        { value: 'b', recipientId: 2 },
        { value: ' c ', recipientId: 1 },
      ],
      left: [],
      problems: [],
    });
  });

  test('are reported and left in the field if invalid, while the valid lines are added', () => {
    const {
      routes,
      left: remaining,
      problems,
    } = readPasted('a North\n\tNorth\nb\tWest\nc\tSouth\nd\tTwin', [
      north,
      south,
      { id: 3, name: 'Twin' },
      { id: 4, name: 'twin' },
    ]);
    expect(routes).toEqual([{ value: 'c', recipientId: 2 }]);
    expect(problems).toEqual([
      'Line 1 has no tab between value and recipient.',
      'Line 2 has no value.',
      'Line 3 names “West”, who is no recipient of this subscription.',
      'Line 4 names “Twin”, a name that several recipients have.',
    ]);
    expect(remaining).toEqual(['a North', '\tNorth', 'b\tWest', 'd\tTwin']);
  });

  test('replace routes with the same value and empty routes', () => {
    const routes = [
      { value: '', recipientId: 0 },
      { value: 'a', recipientId: 1 },
    ];
    expect(
      withPasted(routes, [
        { value: 'a', recipientId: 2 },
        { value: 'b', recipientId: 1 },
      ]),
    ).toEqual([
      { value: 'a', recipientId: 2 },
      { value: 'b', recipientId: 1 },
    ]);
  });
});

describe('validation of a routing', () => {
  test('reports no error for a valid routing or without a routing', () => {
    expect(errorsOf({})).toBeUndefined();
    expect(routingErrors({ ...choices, routing: null })).toBeUndefined();
  });

  test('reports each error at its place', () => {
    const errors = errorsOf({
      column: ' ',
      routes: [
        { value: 'a', recipientId: 1 },
        { value: 'a', recipientId: 7 },
        { value: '', recipientId: 0 },
      ],
      fallbackRecipientId: 9,
    });
    expect(errors?.column).toBe('Name the column.');
    expect([...(errors?.values ?? [])]).toEqual([
      [1, 'Already in line 1.'],
      [2, 'Name a value.'],
    ]);
    expect([...(errors?.recipients ?? [])]).toEqual([
      [1, 'Is not a recipient of this subscription.'],
      [2, 'Choose who gets these rows.'],
    ]);
    expect(errors?.fallback).toBe('Is not a recipient of this subscription.');
  });

  test('refuses the combinations with attachments and triggers that the service refuses', () => {
    const many = Array.from({ length: 21 }, (_, index) => ({ value: `v${index}`, recipientId: 1 }));
    expect(errorsOf({ routes: many })).toBeUndefined();
    expect(errorsOf({ routes: many }, { attachment: 'Xlsx' })?.routes).toContain('Excel');
    expect(errorsOf({ routes: [] })?.routes).toBe('Name 1 to 1,000 values.');
    const rowMemory = { ...choices.rowMemory, changes: ['New', 'Vanished'] as const };
    expect(
      errorsOf({}, { trigger: 'OnRowChange', rowMemory: { ...rowMemory, changes: [...rowMemory.changes] } })
        ?.routes,
    ).toContain('gone');
  });
});
