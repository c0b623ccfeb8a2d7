import { mask } from '@svc/channels';
import * as contract from '@svc/contract';
import { type Static, Type } from 'typebox';
import { type Caller, holds } from '../../../platform/access/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import type { RecipientsService } from '../../recipients/index.ts';
import { everyPage, shortened } from './canonical.ts';
import {
  type Change,
  defineKind,
  type Input,
  type LiveRecord,
  type SecretReference,
  type SlugOf,
  type Target,
  type Written,
} from './kind.ts';
import { secretMissing, secretNameOf } from './secret-names.ts';
import { fileSchema, SecretRef } from './shapes.ts';

const { notificationType, name, description, bodyTemplate } = contract.RecipientInput.properties;
const properties = {
  name,
  description,
  notificationType,
  destination: SecretRef,
  customHeaders: Type.Optional(
    contract.mapOf(SecretRef, { nameLengthMax: 256, sizeMax: 100, description: 'Webhook only.' }),
  ),
  bodyTemplate,
};
const Shape = Type.Object(properties);
type RecipientDefinition = Static<typeof Shape>;

const headersOf = ({ customHeaders = {} }: RecipientDefinition): [string, SecretRef][] =>
  Object.entries(customHeaders).sort(([left], [right]) => (left < right ? -1 : 1));

const canonical = (recipient: RecipientDefinition): RecipientDefinition =>
  shortened(
    {
      name: recipient.name.trim(),
      description: recipient.description,
      notificationType: recipient.notificationType,
      destination: recipient.destination,
      customHeaders: Object.fromEntries(headersOf(recipient)),
      bodyTemplate: recipient.bodyTemplate || null,
    } as RecipientDefinition,
    { customHeaders: {} },
  );

const pointerOf = (header: string): string =>
  `/customHeaders/${header.replaceAll('~', '~0').replaceAll('/', '~1')}`;

const secrets = (recipient: RecipientDefinition): SecretReference[] => [
  { name: recipient.destination.secret, pointer: '/destination' },
  ...headersOf(recipient).map(([header, { secret }]) => ({ name: secret, pointer: pointerOf(header) })),
];

const redirects = ({ before, after, members }: Change<RecipientDefinition>): boolean =>
  after !== null &&
  (before === null ||
    members.some((each) => /^\/(notificationType|destination|customHeaders)(\/|$)/.test(each)));

const neededSecrets = ({ before, after }: Change<RecipientDefinition>): SecretReference[] => {
  if (after === null) return [];
  if (before?.notificationType !== after.notificationType) return secrets(after);
  const previousPointers = new Set(secrets(before).map(({ pointer }) => pointer));
  return secrets(after).filter(({ pointer }) => !previousPointers.has(pointer));
};

const withSecretNames = (
  definition: RecipientDefinition,
  nameAt: (pointer: string) => string | undefined,
): RecipientDefinition => {
  const named = (ref: SecretRef, pointer: string): SecretRef => ({
    secret: nameAt(pointer) ?? ref.secret,
  });
  return {
    ...definition,
    destination: named(definition.destination, '/destination'),
    ...(definition.customHeaders && {
      customHeaders: Object.fromEntries(
        headersOf(definition).map(([header, ref]) => [header, named(ref, pointerOf(header))]),
      ),
    }),
  };
};

const fileOf = (recipient: contract.Recipient, prefix: string): RecipientDefinition =>
  canonical({
    name: recipient.name,
    description: recipient.description,
    notificationType: recipient.notificationType,
    destination: { secret: secretNameOf(prefix, 'destination') },
    customHeaders: Object.fromEntries(
      Object.keys(recipient.customHeaders ?? {}).map((header) => [
        header,
        { secret: secretNameOf(prefix, header) },
      ]),
    ),
    bodyTemplate: recipient.bodyTemplate,
  });

const list = async (
  recipients: RecipientsService,
  caller: Caller,
  slugOf: SlugOf,
): Promise<LiveRecord<RecipientDefinition>[]> => {
  const savedRecipients = await everyPage((page) => recipients.list(caller, page));
  const mayRead = holds(caller, 'SecurityAdmin');
  return savedRecipients.map((recipient) => ({
    id: recipient.id,
    projectId: null,
    version: recipient.version,
    isWaiting: recipient.state === 'AwaitingApproval',
    definition: mayRead ? fileOf(recipient, slugOf('Recipient', recipient.id)) : null,
  }));
};

/** Returns the request body with the values of the secrets. */
const bodyOf = (
  definition: RecipientDefinition,
  secret: (name: string) => string | undefined,
  isStored: boolean,
): contract.RecipientInput => {
  const destination = secret(definition.destination.secret);
  if (destination === undefined && !isStored)
    throw secretMissing(definition.destination.secret, '/destination');
  const headers = headersOf(definition).map(([header, ref]): [string, string] => {
    const value = secret(ref.secret);
    if (value === undefined && !isStored) throw secretMissing(ref.secret, pointerOf(header));
    // The masked value makes the service retain the stored value.
    return [header, value ?? mask];
  });
  const { name, description, notificationType, bodyTemplate } = definition;
  return {
    name,
    notificationType,
    description: description ?? null,
    bodyTemplate: bodyTemplate ?? null,
    ...(destination !== undefined && { destination }),
    ...(notificationType === 'Webhook' && { customHeaders: Object.fromEntries(headers) }),
    ...(notificationType !== 'Webhook' &&
      headers.length > 0 && { customHeaders: Object.fromEntries(headers) }),
  };
};

const create = async (
  recipients: RecipientsService,
  by: CallerActor,
  { definition, secret, within }: Input<RecipientDefinition>,
): Promise<Written> => {
  const { state } = await recipients.create(by, bodyOf(definition, secret, false), within);
  return { isWaiting: state === 'AwaitingApproval' };
};

const update = async (
  recipients: RecipientsService,
  by: CallerActor,
  { id, version }: Target,
  { definition, secret }: Input<RecipientDefinition>,
): Promise<Written> => {
  const { state } = await recipients.update(by, id, bodyOf(definition, secret, true), version);
  return { isWaiting: state === 'AwaitingApproval' };
};

/** Creates the kind of recipients. Destinations and header values are secrets: a file contains only their names. */
export function recipientKind({
  recipients,
  areApproved,
}: {
  readonly recipients: RecipientsService;
  /** The approval workflow covers recipients. */
  readonly areApproved: boolean;
}) {
  return defineKind<RecipientDefinition>({
    name: 'Recipient',
    schema: fileSchema('Recipient', properties),
    isForKeys: false,
    canonical,
    references: () => [],
    secrets,
    withSecretNames,
    list: (caller, _projects, slugOf) => list(recipients, caller, slugOf),
    endpoints: ({ before, after }) => [
      after === null
        ? contract.deleteRecipient
        : before === null
          ? contract.createRecipient
          : contract.updateRecipient,
    ],
    needsApproval: (_caller, change) => areApproved && redirects(change),
    neededSecrets,
    create: (by, input) => create(recipients, by, input),
    update: (by, target, input) => update(recipients, by, target, input),
    remove: (by, { id }) => recipients.archive(by, id),
  });
}
