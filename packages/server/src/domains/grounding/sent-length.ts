/** Length of a text as it is sent: in bytes, behind the escapes of JSON. Of plain English it is its characters. */
export const sentLength = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;
