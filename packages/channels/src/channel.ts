import type { NotificationType } from '@svc/contract';
import type { NumberFormat } from './message/exact-json.ts';
import type { Message } from './message/message.ts';
import type { DeliveryOutcome, FailureReason } from './outcome.ts';
import type { WebhookSigning } from './webhook/signature.ts';

export type ChannelRequest = {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** True to read the response body. Default: discarded. */
  readonly keepAnswer?: boolean;
};

/** Result of a request. The response text never leaves the channel. */
export type ChannelAnswer =
  | {
      readonly ok: true;
      readonly status: number;
      /** Empty unless `keepAnswer` is set; cut at 64 KB. */
      readonly body: Uint8Array;
      /** With 429 and 503: the delay that the destination requests, in seconds. */
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

/**
 * Sends a request through the outbound gateway, under the policy of the channel. Never throws for errors of the
 * destination.
 */
export type SendRequest = (request: ChannelRequest) => Promise<ChannelAnswer>;

/** The file of an email, with the member names of the specification (spec 3 section 5.1). */
export type EmailAttachment = {
  readonly Name: string;
  readonly ContentType: string;
  readonly Data: Uint8Array;
};

/** An email as the host's adapter receives it (spec 3 section 5.1). */
export type Email = {
  /** A bare address. */
  readonly to: string;
  /** A single line. */
  readonly subject: string;
  /** All values are HTML-encoded. */
  readonly html: string;
  readonly text: string;
  readonly attachment?: EmailAttachment;
  /**
   * Left side of the Message-ID: letters, digits, `.`, `_` and `-`. Equal for every attempt at one message, and unique
   * to that message. Absent for notices and test messages: the adapter then chooses an id.
   */
  readonly messageId?: string;
};

/**
 * The host's email adapter: the service sends no email without it. It rejects when the mail was not accepted. An error
 * with a `responseCode` of 400 to 499, an SMTP reply, is a temporary refusal. A resolved text is stored as the
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
  /** Form of 64-bit integers and of decimals in records. Default `Text`. */
  readonly numbers?: NumberFormat;
  /** Webhook only: signs the request. */
  readonly signing?: WebhookSigning;
  /** Email only: `messageId` of the mail. */
  readonly mailId?: string;
};

/** Services that a channel uses to deliver. */
export type ChannelContext = {
  readonly request: SendRequest;
  readonly email?: EmailAdapter;
  readonly signal: AbortSignal;
  /** Reports an event to the server log. The event never contains a secret or a response. */
  readonly warn: (event: string, cause?: unknown) => void;
};

/** Body of a message before delivery, for review. */
export type Preview = {
  readonly contentType: string;
  readonly body: string;
  /** Email only: its one-line subject and its plain-text body. */
  readonly subject?: string;
  readonly text?: string;
  /** True when the body template could not be used. */
  readonly isDefault: boolean;
};

/** A delivery channel. It opens no connection: it sends through its context. */
export type Channel = {
  readonly type: NotificationType;
  /** Makes one attempt. Rejects only for programming errors. */
  readonly deliver: (delivery: Delivery, context: ChannelContext) => Promise<DeliveryOutcome>;
  /** Returns the exact body that `deliver` would send as a first message. Sends nothing. */
  readonly preview: (
    delivery: Pick<Delivery, 'message' | 'bodyTemplate' | 'numbers'> & Partial<Pick<Delivery, 'destination'>>,
  ) => Preview;
};
