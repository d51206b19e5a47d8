import { passwordLengths } from "@gatehouse-parking/contract";

export const texts = {
  title: "Your account",
  sessions: {
    title: "Sessions",
    description:
      "Devices where you are signed in. If you don't recognize one, sign it out and change your password.",
    browser: "Browser and address",
    unknownBrowser: "Unknown browser",
    signedIn: "Signed in",
    lastUsed: "Last used",
    thisDevice: "This device",
    actions: "Actions",
    signOut: "Sign out",
    signOutOthers: "Sign out everywhere else",
    signOutOf: (browser: string, address: string | null) =>
      `Sign out ${browser}, ${address ?? "unknown address"}`,
  },
  password: {
    title: "Password",
    description: "Changing your password signs you out everywhere else.",
    set: "Set password",
    change: "Change password",
    save: "Save password",
    signedInAs: (email: string) => `You are signed in as ${email}.`,
    current: "Current password",
    currentOptional: "Optional for ten minutes after you sign in with single sign-on.",
    currentMissing: "Enter your current password",
    currentOrCodeMissing: "Enter your current password or a code",
    code: "Code, if you forgot your password",
    codeHelp: "From your authenticator app, or one of your recovery codes",
    new: "New password",
    newHelp: `At least ${passwordLengths.minimum} characters. Several unrelated words are hard to guess and easy to remember.`,
    newTooShort: `Use at least ${passwordLengths.minimum} characters`,
    repeat: "Confirm new password",
    mismatch: "The passwords do not match",
    changed: "Password changed. You have been signed out everywhere else.",
    remindToChange: "You signed in with a link that works only once. Your password has not changed.",
    remindToSet: "Set a password so that you can sign in again. Your sign-in link works only once.",
  },
  twoFactor: {
    title: "Two-factor authentication",
    on: "on",
    off: "off",
    description: "Protects your account with a code in addition to your password.",
    required: "Set up two-factor authentication",
    requiredByOne: "This organization requires two-factor authentication. Set it up to continue.",
    requiredByAny:
      "An organization of this installation requires two-factor authentication. Set it up to open the operator pages.",
    start: "Set up two-factor authentication",
    explanation:
      "You need an authenticator app on your phone, or a password manager that generates one-time codes. You will be asked for a code after your password.",
    scan: "Scan this QR code with your authenticator app, or enter the key manually.",
    qrCode: "QR code for your authenticator app",
    key: "Key",
    copyKey: "Copy key",
    code: "Code from your app",
    confirm: "Confirm",
    setUpAt: "Set up",
    recoveryCodesLeft: (left: number) =>
      left === 1 ? "1 recovery code left." : `${left} recovery codes left.`,
  },
  recoveryCodes: {
    label: "Recovery codes",
    copy: "Copy recovery codes",
    explanation:
      "Save these recovery codes in a safe place, not on your phone. Each code lets you sign in once without your authenticator app. They won't be shown again.",
    saved: "I've saved them",
  },
  renewCodes: {
    open: "New recovery codes",
    title: "New recovery codes",
    text: "You get ten new codes. The old codes stop working.",
    action: "Create codes",
  },
  removeTwoFactor: {
    open: "Turn off",
    title: "Turn off two-factor authentication",
    text: "You will sign in with your password only. To move to another phone, turn two-factor authentication off and set it up again.",
    action: "Turn off",
  },
  singleSignOn: {
    title: "Single sign-on",
    description: (provider: string) =>
      `Connect your account once. After that, you can sign in with ${provider}.`,
    connect: (provider: string) => `Connect ${provider}`,
  },
};
