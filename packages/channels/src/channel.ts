import type { NumberFormat } from './exact-json.ts';
import type { Message } from './message.ts';
import type { NotificationType } from './notification-type.ts';
import type { DeliveryOutcome, FailureReason } from './outcome.ts';
import type { WebhookSigning } from './webhook/signature.ts';

/** A request that a channel wants sent. */
export type ChannelRequest = {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether the channel reads the answer; otherwise it is thrown away. */
  readonly keepAnswer?: boolean;
};

/** What came of it. The answer's text never leaves the channel. */
export type ChannelAnswer =
  | {
      readonly ok: true;
      readonly status: number;
      /** Empty unless `keepAnswer` was set; cut at 64 KB. */
      readonly body: Uint8Array;
      /** With 429 and 503: how long the destination asks to be left alone, in seconds. */
      readonly retryAfterSeconds?: number;
      readonly bytesSent: number;
      readonly durationMs: number;
    }
  | {
      readonly ok: false;
      readonly reason: FailureReason;
      readonly mayHaveArrived: boolean;
      readonly durationMs: number;
    };

/** Sends a request through the outbound door, under the policy of the channel. Never throws for the destination. */
export type SendRequest = (request: ChannelRequest) => Promise<ChannelAnswer>;

/** The file of an email, under the names that the specification gives its members (spec 3 section 5.1). */
export type EmailAttachment = {
  readonly Name: string;
  readonly ContentType: string;
  readonly Data: Uint8Array;
};

/** An email as the host's adapter receives it (spec 3 section 5.1). */
export type Email = {
  /** A bare address. */
  readonly to: string;
  /** One line. */
  readonly subject: string;
  /** Every value is HTML-encoded. */
  readonly html: string;
  readonly text: string;
  readonly attachment?: EmailAttachment;
  /**
   * Left side of the Message-ID: letters, digits, `.`, `_` and `-`. The same for each attempt at one message, and
   * different for any other message. Absent for notices and test messages: the adapter then chooses its own.
   */
  readonly messageId?: string;
};

/**
 * The host's way to send email: the service sends none itself. It rejects when the mail was not accepted. An error with a
 * `responseCode` of 400 to 499, an SMTP reply, is a temporary refusal. A text that it resolves to is stored as the
 * message's id.
 */
export type EmailAdapter = (email: Email, signal: AbortSignal) => Promise<unknown>;

/** One message for one destination. */
export type Delivery = {
  readonly message: Message;
  /** The decrypted destination. */
  readonly destination: string;
  /** Webhook only. */
  readonly customHeaders?: Readonly<Record<string, string>>;
  readonly bodyTemplate?: string;
  /** Form of whole numbers of 64 bits and of decimals in records. Default `Text`. */
  readonly numbers?: NumberFormat;
  /** Webhook only: signs the request. */
  readonly signing?: WebhookSigning;
  /** Email only: `messageId` of the mail. */
  readonly mailId?: string;
};

/** What a channel is given to deliver with. */
export type ChannelContext = {
  readonly request: SendRequest;
  readonly email?: EmailAdapter;
  readonly signal: AbortSignal;
  /** Told of what the server log should know; never holds a secret or an answer. */
  readonly warn: (event: string, cause?: unknown) => void;
};

/** What a channel would send, for looking at before it leaves. */
export type Preview = {
  readonly contentType: string;
  readonly body: string;
  /** Email only: its one-line subject and its plain-text part. */
  readonly subject?: string;
  readonly text?: string;
  /** True when the body template could not be used. */
  readonly isDefault: boolean;
};

/** One way to deliver. A channel opens no connection: it sends through what it is given. */
export type Channel = {
  readonly type: NotificationType;
  /** Makes one attempt. Rejects for defects only. */
  readonly deliver: (delivery: Delivery, context: ChannelContext) => Promise<DeliveryOutcome>;
  /** The exact body that `deliver` would send as a first message. Sends nothing. */
  readonly preview: (
    delivery: Pick<Delivery, 'message' | 'bodyTemplate' | 'numbers'> & Partial<Pick<Delivery, 'destination'>>,
  ) => Preview;
};
