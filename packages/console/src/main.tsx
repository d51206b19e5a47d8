import "@fontsource-variable/inter/wght.css";
import "virtual:components.css";
import "@mantine/notifications/styles.css";
import "virtual:theme.css";
import { createRoot } from "react-dom/client";
import { App } from "./app.js";
import "./core/theme/page.css";

const root = document.getElementById("root");
if (!root) throw new Error("The page has no root element");
createRoot(root).render(<App />);
