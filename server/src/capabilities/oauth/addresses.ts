import { PERMISSIONS } from '../../platform/authentication/permissions.ts';

/** What an assistant can ask for: reading, which every grant includes, and the permissions of grants. */
export const SCOPES = ['read', ...PERMISSIONS] as const;

export const PATHS = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
} as const;

/** The address of an assistant’s messages, for which its tokens are made (RFC 8707). */
export const resourceOf = (publicUrl: string): string => `${publicUrl}/mcp`;

/** Describes `/mcp` (RFC 9728). */
export const describeResource = (publicUrl: string) => ({
  resource: resourceOf(publicUrl),
  authorization_servers: [publicUrl],
  scopes_supported: SCOPES,
  bearer_methods_supported: ['header'],
  resource_name: 'Bestow',
  resource_documentation: `${publicUrl}/docs/agents`,
});

/** Describes the sign-in of assistants (RFC 8414). */
export const describeServer = (publicUrl: string) => ({
  issuer: publicUrl,
  authorization_endpoint: publicUrl + PATHS.authorize,
  token_endpoint: publicUrl + PATHS.token,
  registration_endpoint: publicUrl + PATHS.register,
  revocation_endpoint: publicUrl + PATHS.revoke,
  scopes_supported: SCOPES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  service_documentation: `${publicUrl}/docs/agents`,
});
