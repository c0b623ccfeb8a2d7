import { describe, expect, test } from 'vitest';
import { maskDestination } from './destination.ts';
import { editCustomHeaders, editDestination, maskCustomHeaders } from './edit.ts';
import { mask } from './mask.ts';

const webhook = {
  type: 'Webhook',
  destination: 'https://hooks.example.com/a',
  customHeaders: { 'X-Api-Key': 'k' },
} as const;
const tracker = { type: 'IssueTracker', destination: 'acme;OPS;bot@example.com;t0ken' } as const;

describe('editing a destination', () => {
  test('an empty text, or exactly the masked text, leaves the stored destination unchanged', () => {
    for (const stored of [webhook, tracker, { type: 'Email', destination: 'ada@example.com' } as const])
      for (const entered of ['', '  ', maskDestination(stored.type, stored.destination)])
        expect(editDestination(stored.type, entered, stored)).toEqual({
          ok: true,
          value: stored.destination,
        });
  });

  test('another text replaces the stored destination', () => {
    expect(editDestination('Webhook', 'https://other.example.com/x', webhook)).toEqual({
      ok: true,
      value: 'https://other.example.com/x',
    });
  });

  test('an empty or masked text is refused for another type and without a readable stored destination', () => {
    expect(editDestination('ChatBlocks', '', webhook).ok).toBe(false);
    expect(editDestination('Webhook', '', { type: 'Webhook' }).ok).toBe(false);
    expect(editDestination('Webhook', '', undefined).ok).toBe(false);
    expect(editDestination('Webhook', `https://hooks.example.com/${mask}`, undefined).ok).toBe(false);
  });

  test('a mask inside another text is refused', () => {
    for (const entered of [`https://other.example.com/${mask}`, mask, `x${mask}`])
      expect(editDestination('Webhook', entered, webhook).ok).toBe(false);
    expect(editDestination('IssueTracker', `acme;OPS;${mask}@example.com;${mask}`, tracker).ok).toBe(false);
  });

  test('a masked token leaves the stored token unchanged if the site does not change', () => {
    expect(editDestination('IssueTracker', `acme;NEW;other@example.com;${mask}`, tracker)).toEqual({
      ok: true,
      value: 'acme;NEW;other@example.com;t0ken',
    });
    expect(editDestination('IssueTracker', `evil;OPS;bot@example.com;${mask}`, tracker)).toMatchObject({
      ok: false,
      message: expect.stringMatching(/site has changed/),
    });
  });
});

describe('editing custom headers', () => {
  const edit = (entered: unknown, destination: string = webhook.destination) =>
    editCustomHeaders(entered, destination, webhook, []);

  test('a masked value retains the stored value, and clearing removes all headers', () => {
    expect(edit({ 'x-api-key': mask, Authorization: 'new' })).toEqual({
      ok: true,
      headers: { 'x-api-key': 'k', Authorization: 'new' },
    });
    expect(edit(undefined)).toEqual({ ok: true, headers: { 'X-Api-Key': 'k' } });
    for (const cleared of [null, {}]) expect(edit(cleared)).toEqual({ ok: true, headers: {} });
  });

  test('stored values do not apply to another scheme, host or port', () => {
    for (const destination of ['https://hooks.example.com:444/a', 'https://evil.example.com/a']) {
      expect(edit({ 'X-Api-Key': mask }, destination).ok).toBe(false);
      expect(edit(undefined, destination).ok).toBe(false);
      expect(edit({ 'X-Api-Key': 'new' }, destination).ok).toBe(true);
      expect(edit({}, destination).ok).toBe(true);
    }
    expect(edit({ 'X-Api-Key': mask }, 'https://hooks.example.com/other').ok).toBe(true);
  });

  test('a mask without a corresponding stored value is refused', () => {
    expect(edit({ Authorization: mask }).ok).toBe(false);
    expect(edit({ 'X-Api-Key': `Bearer ${mask}` }).ok).toBe(false);
    expect(editCustomHeaders({ 'X-Api-Key': mask }, webhook.destination, undefined, []).ok).toBe(false);
  });

  test('names are shown with masked values', () => {
    expect(maskCustomHeaders({ 'X-Api-Key': 's3cret' })).toEqual({ 'X-Api-Key': mask });
  });
});
