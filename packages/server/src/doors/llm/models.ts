import type { LanguageModel } from 'ai';
import type { OutboundFetch } from '../../platform/outbound/index.ts';
import { baseUrlOf, type LlmConnection } from './connection.ts';

type SdkFetch = typeof globalThis.fetch;

/**
 * The model of a connection, as the SDK wants it. Everything that a provider's package would read from the
 * environment where it is absent is given here, if only empty: the environment of the process is not the settings.
 * Packages are loaded at the first call, since most processes never make one.
 *
 * @throws RangeError when the connection does not say where its provider is.
 */
export async function modelOf(
  connection: LlmConnection,
  model: string,
  outboundFetch: OutboundFetch,
): Promise<LanguageModel> {
  const baseURL = baseUrlOf(connection);
  if (baseURL === undefined) throw new RangeError('The connection of the language model has no address.');
  // The client library's type of `fetch` is the browser's; the door's takes the part of it that is used.
  const fetch = outboundFetch as unknown as SdkFetch;
  const { secrets } = connection;
  const apiKey = secrets.apiKey ?? '';
  switch (connection.provider) {
    case 'OpenAi': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      const openai = createOpenAI({ baseURL, apiKey, fetch });
      return connection.api === 'Responses' ? openai.responses(model) : openai.chat(model);
    }
    case 'OpenAiCompatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      return createOpenAICompatible({
        name: 'compatible',
        baseURL,
        fetch,
        ...(apiKey !== '' && { apiKey }),
        includeUsage: true,
        supportsStructuredOutputs: true,
      })(model);
    }
    case 'Anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ baseURL, apiKey, fetch })(model);
    }
    case 'AzureOpenAi': {
      const { createAzure } = await import('@ai-sdk/azure');
      return createAzure({ baseURL, apiKey, fetch }).chat(model);
    }
    case 'Bedrock': {
      const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock');
      return createAmazonBedrock({
        baseURL,
        // A host of its own needs no region but the signature does.
        region: connection.region ?? 'us-east-1',
        // Empty means none: the key of the environment would beat the access keys that are set.
        apiKey,
        accessKeyId: secrets.awsAccessKeyId ?? '',
        secretAccessKey: secrets.awsSecretAccessKey ?? '',
        ...(secrets.awsSessionToken !== undefined && { sessionToken: secrets.awsSessionToken }),
        fetch,
      })(model);
    }
  }
}
