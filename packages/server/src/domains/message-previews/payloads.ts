import { channels, inspectPreview, type Message } from '@svc/channels';
import type { PayloadPreview } from '@svc/contract';
import {
  type DestinationRules,
  openRecipient,
  type RecipientRow,
  type Recipients,
  type SendSettings,
  textOfReason,
} from '../../gateways/send/index.ts';
import type { KeyRing } from '../../platform/crypto/index.ts';

export type PayloadsDeps = {
  readonly recipients: Recipients;
  readonly keys: KeyRing;
  readonly sendSettings: Pick<SendSettings, 'requireEncryptedSecrets'>;
  readonly rules: Pick<DestinationRules, 'isDisabled'>;
};

type Shown = { readonly key: string; readonly preview: PayloadPreview };

/** Returns the payload of each recipient. Recipients with equal payloads share one entry. */
export async function payloadsFor(
  deps: PayloadsDeps,
  recipients: readonly { readonly id: number; readonly name: string }[],
  message: Message,
  view: { readonly showsTemplates: boolean },
): Promise<PayloadPreview[]> {
  const shown: Shown[] = [];
  for (const { id, name } of recipients) {
    const row = await deps.recipients.readCurrent(id);
    if (row) shown.push(payloadOf(deps, row, name, message, view));
  }
  return [...Map.groupBy(shown, ({ key }) => key).values()].flatMap((same) => {
    const [first] = same;
    return first ? [{ ...first.preview, recipients: same.flatMap(({ preview }) => preview.recipients) }] : [];
  });
}

function payloadOf(
  deps: PayloadsDeps,
  row: RecipientRow,
  name: string,
  message: Message,
  { showsTemplates }: { readonly showsTemplates: boolean },
): Shown {
  const { type, recipientId: id } = row;
  const opened = openRecipient(deps.keys, row, deps.sendSettings);
  const bodyTemplate = row.bodyTemplate ?? undefined;
  const preview = channels[type].preview({
    message,
    numbers: row.numbers,
    ...(bodyTemplate !== undefined && { bodyTemplate }),
    ...(opened.ok && { destination: opened.definition.destination }),
  });
  // A template may contain secrets of the receiver, so only callers who may see the template see its output.
  const isWithheld = bodyTemplate !== undefined && !showsTemplates;
  const headerNames = opened.ok ? Object.keys(opened.definition.customHeaders).sort() : [];
  const isSigned = opened.ok && opened.signingSecrets.length > 0;
  const problem = opened.ok ? problemOf(deps, row) : textOfReason(opened.reason);
  return {
    key: JSON.stringify([type, isWithheld ? id : preview.body, headerNames, isSigned]),
    preview: {
      notificationType: type,
      contentType: preview.contentType,
      subject: preview.subject ?? null,
      text: preview.text ?? null,
      body: isWithheld ? null : preview.body,
      bytes: isWithheld ? null : Buffer.byteLength(preview.body),
      isDefault: preview.isDefault,
      findings: inspectPreview(type, message, preview, bodyTemplate),
      isSigned,
      headerNames,
      recipients: [{ id, name, problem }],
    },
  };
}

/**
 * Returns the reason why a recipient would currently receive nothing. The hash of an approval is checked only when a
 * message is sent.
 */
function problemOf({ rules }: PayloadsDeps, { type, approval }: RecipientRow): string | null {
  if (rules.isDisabled(type)) return textOfReason('ChannelDisabled');
  if (approval.kind === 'NotGoverned' || approval.state === 'Approved') return null;
  return textOfReason(approval.state);
}
