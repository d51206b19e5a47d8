/** Types for the part of oidc-provider that openid-provider.ts uses; the package has none. */
declare module "oidc-provider" {
  import type { RequestListener } from "node:http";

  export class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
  }
}
