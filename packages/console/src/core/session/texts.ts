export const texts = {
  loading: "Loading",
  signIn: {
    title: "Sign in",
    noAccount:
      "No account yet? Ask an admin of your organization or the operator of this service to invite you.",
    email: "Email",
    emailMissing: "Enter your email address",
    password: "Password",
    passwordMissing: "Enter your password",
    code: "Code",
    codeHelp: "From your authenticator app, or one of your recovery codes",
    codeMissing: "Enter the code",
    linkRefused: (title: string) => `${title}. Ask for a new link.`,
    tooManyAttempts: (wait: string) => `Too many attempts. Try again in ${wait}.`,
    or: "or",
    withProvider: (provider: string) => `Sign in with ${provider}`,
  },
  again: {
    title: "Sign in again",
    text: "Your session has expired. Sign in to continue where you left off.",
    leave: "Leave this page",
  },
  provider: {
    title: "Signing in",
    back: "Back to the sign-in page",
  },
  link: {
    title: "Sign in with your link",
    text: "This link works only once. After you sign in, you can set a password in the user menu.",
    passwordInstead: "Sign in with a password instead",
  },
  invitation: {
    title: "Accept the invitation",
    text: "You are invited to another organization. It will be added to your existing account. Your two-factor authentication and your other organizations do not change. Your other sessions will be signed out. If you signed in with a link or with single sign-on, your password may be removed, because someone else may have set it. In that case, set a new one.",
    signIn: "Sign in to the account that was invited.",
    otherAccount: "You are signed in to a different account. Sign in to the account that was invited.",
    accept: "Accept",
  },
  certificate: {
    download: (file: string) => `Download ${file}`,
    before: "This service uses a self-signed certificate authority.",
    after: "and run the command in the folder where you saved it.",
  },
};
