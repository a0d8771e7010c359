/** The part of Swagger UI that the page uses. Its script defines it globally. */

interface ApiRequest {
  headers: Record<string, string>;
}

interface SwaggerOptions {
  url: string;
  dom_id: string;
  deepLinking: boolean;
  docExpansion: "none" | "list" | "full";
  defaultModelsExpandDepth: number;
  displayRequestDuration: boolean;
  filter: boolean;
  validatorUrl: string | null;
  requestInterceptor: (request: ApiRequest) => ApiRequest;
}

declare const SwaggerUIBundle: (options: SwaggerOptions) => unknown;
