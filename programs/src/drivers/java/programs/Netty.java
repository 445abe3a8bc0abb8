package programs;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** Netty's HTTP codec behind event loops, loaded over loopback. */
public final class Netty {
    private Netty() {
    }

    /** The arguments are clients and requests of each. */
    public static void main(String[] arguments) throws Exception {
        EventLoopGroup loops = new NioEventLoopGroup(3);
        ServerBootstrap bootstrap = new ServerBootstrap().group(loops).channel(NioServerSocketChannel.class);
        bootstrap.childHandler(new ChannelInitializer<Channel>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline().addLast(new HttpServerCodec(), new HttpObjectAggregator(1 << 16), new Answers());
            }
        });
        Channel channel = bootstrap.bind("127.0.0.1", 0).sync().channel();
        int port = ((InetSocketAddress) channel.localAddress()).getPort();
        Web.load(port, Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
        channel.close().sync();
        loops.shutdownGracefully().sync();
    }

    private static final class Answers extends SimpleChannelInboundHandler<FullHttpRequest> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            boolean isGet = request.method().equals(HttpMethod.GET);
            String text = isGet ? Web.page(request.uri()) : Web.echo(request.content().toString(StandardCharsets.UTF_8));
            FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK,
                Unpooled.copiedBuffer(text, StandardCharsets.UTF_8));
            HttpUtil.setContentLength(response, response.content().readableBytes());
            HttpUtil.setKeepAlive(response, HttpUtil.isKeepAlive(request));
            context.writeAndFlush(response);
        }
    }
}
