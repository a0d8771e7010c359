// Load the requested page as soon as the server answers again.
const AGAIN = 5000;

async function look() {
    try {
        const answer = await fetch("/api/session");
        if (answer.ok) location.reload();
    } catch {
        // still offline
    }
}

addEventListener("online", look);
setInterval(look, AGAIN);
