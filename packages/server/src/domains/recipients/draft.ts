import { editCustomHeaders, editDestination, type StoredRecipient } from '@svc/channels';
import type { RecipientInput } from '@svc/contract';
import type { DestinationRules, RecipientDefinition } from '../../gateways/send/index.ts';
import { badRequest } from '../../platform/http/index.ts';
import type { RecipientFields } from './store/index.ts';

/** A save: the input, combined with the stored secrets. */
export type RecipientDraft = { readonly fields: RecipientFields; readonly definition: RecipientDefinition };

/**
 * Combines the input of a save with the stored secrets, which a masked input refers to, and checks the result.
 *
 * @throws Refusal 400 that names the member.
 */
export async function draftOf(
  deps: { readonly rules: DestinationRules; readonly allowedHeaders: readonly string[] },
  input: RecipientInput,
  stored: StoredRecipient | undefined,
): Promise<RecipientDraft> {
  const type = input.notificationType;
  const destination = editDestination(type, input.destination ?? '', stored);
  if (!destination.ok) throw invalid('destination', destination.message);
  const headers =
    type === 'Webhook'
      ? editCustomHeaders(input.customHeaders, destination.value, stored, deps.allowedHeaders)
      : emptyHeaders(input);
  if (!headers.ok) throw invalid('customHeaders', headers.message);
  const definition = { type, destination: destination.value, customHeaders: headers.headers };
  const check = await deps.rules.checkDraft({
    ...definition,
    ...(input.bodyTemplate && { bodyTemplate: input.bodyTemplate }),
  });
  if (!check.ok) throw invalid(check.field, check.message);
  const fields = {
    name: input.name.trim(),
    description: input.description ?? null,
    notificationType: type,
    bodyTemplate: input.bodyTemplate || null,
    headerNames: Object.keys(headers.headers),
  };
  return { fields, definition };
}

const invalid = (field: string, message: string) =>
  badRequest('invalid-recipient', message, [{ path: `/${field}`, message }]);

/** Returns the names of headers for a type that has none, so that the check of the draft refuses them. */
function emptyHeaders(input: RecipientInput): { ok: true; headers: Record<string, string> } {
  return {
    ok: true,
    headers: Object.fromEntries(Object.keys(input.customHeaders ?? {}).map((name) => [name, ''])),
  };
}

/** Returns true when a save changes the destination or the credentials of messages. */
export function isRedirected(stored: StoredRecipient, { definition }: RecipientDraft): boolean {
  const headersOf = (headers: Readonly<Record<string, string>> | undefined) =>
    JSON.stringify(Object.entries(headers ?? {}).sort());
  return (
    stored.type !== definition.type ||
    stored.destination !== definition.destination ||
    headersOf(stored.customHeaders) !== headersOf(definition.customHeaders)
  );
}
