/** The captcha services that an organization can choose from. They speak one protocol. */
export const captchaProviders = {
  recaptcha: {
    name: "reCAPTCHA",
    verificationUrl: "https://www.google.com/recaptcha/api/siteverify",
    /** Whether `score` in the response is the likelihood of a human. (hCaptcha's score means the opposite.) */
    isScored: true,
  },
  hcaptcha: { name: "hCaptcha", verificationUrl: "https://api.hcaptcha.com/siteverify", isScored: false },
  turnstile: {
    name: "Turnstile",
    verificationUrl: "https://challenges.cloudflare.com/turnstile/v0/siteverify",
    isScored: false,
  },
} as const;

export type CaptchaType = keyof typeof captchaProviders;
export const captchaTypes = Object.keys(captchaProviders) as CaptchaType[];
/** The setting that holds the address of a provider. */
export type CaptchaUrl = `${CaptchaType}Url`;
