import type { LanguageModel } from 'ai';
import type { OutboundFetch } from '../../platform/outbound/index.ts';
import { baseUrlOf, type LlmConnection } from './connection.ts';

type SdkFetch = typeof globalThis.fetch;

/**
 * Returns the model of a connection for the SDK. A provider's package reads missing options from the environment. All of
 * them are therefore set, some to an empty value: settings must not come from the environment. Packages are loaded at the
 * first call, because most processes never make one.
 *
 * @throws RangeError if the connection has no address of its provider.
 */
export async function modelOf(
  connection: LlmConnection,
  model: string,
  outboundFetch: OutboundFetch,
): Promise<LanguageModel> {
  const baseURL = baseUrlOf(connection);
  if (baseURL === undefined) throw new RangeError('The connection of the language model has no address.');
  // The SDK expects the browser's type of `fetch`. The gateway's `fetch` supports the members that the SDK uses.
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
        // A custom endpoint needs no region, but the signature does.
        region: connection.region ?? 'us-east-1',
        // Set even if empty: a key from the environment would take precedence over the configured access keys.
        apiKey,
        accessKeyId: secrets.awsAccessKeyId ?? '',
        secretAccessKey: secrets.awsSecretAccessKey ?? '',
        ...(secrets.awsSessionToken !== undefined && { sessionToken: secrets.awsSessionToken }),
        fetch,
      })(model);
    }
  }
}
