import type { ProblemTable } from './problem-table.ts';

/** Refusals about subscriptions, recipients, approvals and deliveries. */
export const deliveryProblems = {
  'comment-required': {
    status: 400,
    title: 'Comment required',
    means: 'Both sides of the change look the same, but they differ.',
    next: 'Say in a comment how you checked the change.',
  },
  'invalid-recipient': {
    status: 400,
    title: 'Invalid recipient',
    means: 'The destination or the template does not fit the kind of recipient.',
    next: 'Correct each member that `errors` names.',
  },
  'invalid-schedule': {
    status: 400,
    title: 'Invalid schedule',
    means: 'The schedule cannot be read.',
    next: 'Correct the expression or the time zone that `errors` names.',
  },
  'recipients-required': {
    status: 400,
    title: 'Recipient required',
    means: 'A subscription without a recipient would tell nobody.',
    next: 'Name at least one recipient.',
  },
  'schedule-never-fires': {
    status: 400,
    title: 'Schedule never fires',
    means: 'No date fits this schedule.',
    next: 'Choose days that exist, such as not 30 February.',
  },
  'schedule-too-dense': {
    status: 400,
    title: 'Schedule too dense',
    means: 'The schedule fires more often than the service allows.',
    next: 'Choose a longer interval, or have Svc:Subscriptions:MinimumIntervalSeconds lowered.',
  },
  'not-your-request': {
    status: 403,
    title: "Somebody else's request",
    means: 'Only whoever asked for a change may withdraw it.',
    next: 'Ask them to withdraw it, or decide about it.',
  },
  'own-request': {
    status: 403,
    title: 'Own request',
    means: 'You asked for this change, so you cannot decide about it.',
    next: 'Ask another approver.',
  },
  'recipient-elsewhere': {
    status: 403,
    title: 'Recipient used elsewhere',
    means:
      'The recipient is attached to subscriptions that you cannot read. Renaming it is possible; redirecting it is not.',
    next: 'Make a recipient of your own, or ask an Admin.',
  },
  'change-over': {
    status: 409,
    title: 'Request is over',
    means: 'This change was approved, rejected or withdrawn already.',
    next: 'Load the list of requests again.',
  },
  'change-stale': {
    status: 409,
    title: 'Change is stale',
    means: 'What was to be decided about has changed since it was opened or submitted.',
    next: 'Load it again, look at what it is now, and decide then.',
  },
  'change-waits': {
    status: 409,
    title: 'Change waits for approval',
    means: "Somebody else's change of this recipient waits for approval.",
    next: 'Have it decided or withdrawn first.',
  },
  'delivery-made': {
    status: 409,
    title: 'Delivery was made',
    means: 'The recipient accepted this delivery, so it is not sent again.',
    next: 'Nothing needs to be done.',
  },
  'delivery-repeated': {
    status: 409,
    title: 'Delivery repeated already',
    means: 'A later attempt at this delivery exists already.',
    next: 'Look at that attempt.',
  },
  'delivery-under-way': {
    status: 409,
    title: 'Delivery under way',
    means: 'This delivery has not ended yet.',
    next: 'Wait for its end.',
  },
  'destination-unreadable': {
    status: 409,
    title: 'Destination unreadable',
    means: 'The destination cannot be decrypted, so nobody can say what would be approved.',
    next: 'Enter the destination again.',
  },
  'message-gone': {
    status: 409,
    title: 'Message no longer kept',
    means: 'The message of this run was removed when its time was up (Svc:Notifications:KeepMessagesDays).',
    next: 'Use Test now to send a new one.',
  },
  'name-taken': {
    status: 409,
    title: 'Name taken',
    means: 'Another recipient has this name.',
    next: 'Choose a different name.',
  },
  'no-message': {
    status: 409,
    title: 'No message kept',
    means: 'No message of an earlier run is kept.',
    next: 'Preview a dry run instead.',
  },
  'nobody-to-notify': {
    status: 409,
    title: 'Nobody to notify',
    means: 'No recipient of the subscription may be notified at present.',
    next: 'Add or approve a recipient first.',
  },
  'not-a-webhook': {
    status: 409,
    title: 'Not a webhook',
    means: 'Only messages to webhooks are signed.',
    next: 'Choose a webhook recipient.',
  },
  'nothing-to-restore': {
    status: 409,
    title: 'Nothing to restore',
    means: 'There is no earlier approved state of this recipient.',
    next: 'Enter the destination anew.',
  },
  'recipient-in-use': {
    status: 409,
    title: 'Recipient in use',
    means: 'Subscriptions still use this recipient.',
    next: 'Detach it from the subscriptions that `detail` names first.',
  },
  'subscription-archived': {
    status: 409,
    title: 'Subscription archived',
    means: 'This subscription is archived.',
    next: 'Reactivate it first.',
  },
} as const satisfies ProblemTable;
