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
  test('nothing, or exactly what is shown, keeps the stored one', () => {
    for (const stored of [webhook, tracker, { type: 'Email', destination: 'ada@example.com' } as const])
      for (const entered of ['', '  ', maskDestination(stored.type, stored.destination)])
        expect(editDestination(stored.type, entered, stored)).toEqual({
          ok: true,
          value: stored.destination,
        });
  });

  test('another text replaces it', () => {
    expect(editDestination('Webhook', 'https://other.example.com/x', webhook)).toEqual({
      ok: true,
      value: 'https://other.example.com/x',
    });
  });

  test('nothing is kept for another type, for an unreadable or for no stored one', () => {
    expect(editDestination('ChatBlocks', '', webhook).ok).toBe(false);
    expect(editDestination('Webhook', '', { type: 'Webhook' }).ok).toBe(false);
    expect(editDestination('Webhook', '', undefined).ok).toBe(false);
    expect(editDestination('Webhook', `https://hooks.example.com/${mask}`, undefined).ok).toBe(false);
  });

  test('a mask inside another text is never stored', () => {
    for (const entered of [`https://other.example.com/${mask}`, mask, `x${mask}`])
      expect(editDestination('Webhook', entered, webhook).ok).toBe(false);
    expect(editDestination('IssueTracker', `acme;OPS;${mask}@example.com;${mask}`, tracker).ok).toBe(false);
  });

  test('a masked token keeps the token while the site is the same', () => {
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

  test('a masked value keeps the stored one, clearing removes all', () => {
    expect(edit({ 'x-api-key': mask, Authorization: 'new' })).toEqual({
      ok: true,
      headers: { 'x-api-key': 'k', Authorization: 'new' },
    });
    expect(edit(undefined)).toEqual({ ok: true, headers: { 'X-Api-Key': 'k' } });
    for (const cleared of [null, {}]) expect(edit(cleared)).toEqual({ ok: true, headers: {} });
  });

  test('stored values do not follow to another scheme, host or port', () => {
    for (const destination of ['https://hooks.example.com:444/a', 'https://evil.example.com/a']) {
      expect(edit({ 'X-Api-Key': mask }, destination).ok).toBe(false);
      expect(edit(undefined, destination).ok).toBe(false);
      expect(edit({ 'X-Api-Key': 'new' }, destination).ok).toBe(true);
      expect(edit({}, destination).ok).toBe(true);
    }
    expect(edit({ 'X-Api-Key': mask }, 'https://hooks.example.com/other').ok).toBe(true);
  });

  test('a mask that stands for nothing is refused', () => {
    expect(edit({ Authorization: mask }).ok).toBe(false);
    expect(edit({ 'X-Api-Key': `Bearer ${mask}` }).ok).toBe(false);
    expect(editCustomHeaders({ 'X-Api-Key': mask }, webhook.destination, undefined, []).ok).toBe(false);
  });

  test('names are shown with their values masked', () => {
    expect(maskCustomHeaders({ 'X-Api-Key': 's3cret' })).toEqual({ 'X-Api-Key': mask });
  });
});
