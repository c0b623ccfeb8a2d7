/** OpenAPI document of the tests' API. */
export const restDocument = {
  openapi: '3.0.3',
  info: { title: 'Shop', version: '2.1' },
  paths: {
    '/orders': {
      get: {
        summary: 'Orders, newest first',
        responses: {
          200: {
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: { data: { type: 'array', items: { $ref: '#/components/schemas/Order' } } },
                },
              },
            },
          },
        },
      },
      post: { responses: {} },
    },
    '/orders/{id}': { get: { responses: {} } },
    '/hooks': { post: { responses: {} } },
  },
  components: {
    schemas: {
      Order: {
        required: ['id'],
        properties: {
          id: { type: 'integer' },
          at: { type: 'string', format: 'date-time', description: 'When it was placed' },
          day: { type: 'string', format: 'date' },
          total: { type: 'number', nullable: true },
          lines: { type: 'array', items: {} },
        },
      },
    },
  },
};
